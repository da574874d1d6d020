import { setTimeout as delay } from 'node:timers/promises';
import { topics } from '@shopflow/contracts';
import { GroupAdministration, type GroupAdministrationOptions, type PartitionOffsets, partitionName } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';

const PAUSE_MS = 500;

/** Where the group stands in the topic of invoices. @throws when Kafka does not answer */
export type ReadOffsets = () => Promise<PartitionOffsets[]>;

/**
 * Resolves when everything that the topic holds now has been taken in: after a time without any process a payment may lie there that
 * nobody has read yet. Waits for so long at most; then a reminder too many is better than none at all.
 *
 * @param stopping ends the waiting at once
 */
export async function catchUpWithEvents(read: ReadOffsets, patienceMs: number, logger: Logger, stopping: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let ends: ReadonlyMap<string, number> | undefined;
  while (!stopping.aborted) {
    const offsets = await read().catch(() => undefined);
    ends ??= offsets && new Map(offsets.map((each) => [partitionName(each), each.high]));
    if (offsets?.every((each) => doneOf(each) >= ends!.get(partitionName(each))!)) return;
    if (Date.now() >= deadline)
      return logger.warn(`not all invoices' events could be read within ${patienceMs} ms; the run goes on without`);
    await delay(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

/** A partition whose records have all expired is done. */
const doneOf = ({ committed, low }: PartitionOffsets) => Math.max(committed ?? 0, low);

/** Reads them over a connection of its own: once a day it is needed for a moment. */
export async function readOffsets(group: string, kafka: Omit<GroupAdministrationOptions, 'clientId'>): Promise<PartitionOffsets[]> {
  const admin = await GroupAdministration.connect({ ...kafka, clientId: `${group}-schedule` });
  try {
    return await admin.offsets(group, [topics.invoices.name]);
  } finally {
    await admin.close();
  }
}
