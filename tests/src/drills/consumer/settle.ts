import { setTimeout as delay } from 'node:timers/promises';
import { orderCreated } from '@shopflow/contracts';
import { GroupAdministration } from '@shopflow/kafka';
import { withClient } from '@shopflow/servers';
import { type Counts, readCounts } from './counts.js';
import type { Stage } from './faults/fault.js';
import { offsetsOf } from './read-ids.js';
import { GROUP } from './settings.js';

const PAUSE_MS = 500;
const TOPIC = orderCreated.topic.name;

/** Without any change for so long nothing more is expected: longer than the longest pause between two tries. */
const PATIENCE_MS = 60_000;

/**
 * Waits until the group has done everything that it can, deciding about every dead head that blocks its key.
 *
 * @returns what is missing when nothing happens any more; undefined when all is done
 */
export async function settle(stage: Stage, databaseUrl: string, signal: AbortSignal): Promise<string | undefined> {
  for (let before: string | undefined, since = Date.now(); ;) {
    signal.throwIfAborted();
    const missing = await whatIsMissing(stage, databaseUrl).catch((error: unknown) => String(error));
    if (missing !== before) since = Date.now();
    if (missing === undefined || Date.now() - since > PATIENCE_MS) return missing;
    before = missing;
    await delay(PAUSE_MS);
  }
}

async function whatIsMissing(stage: Stage, databaseUrl: string): Promise<string | undefined> {
  const counts = await withClient(databaseUrl, readCounts);
  if (counts.blocked > 0) for (const letter of await stage.clicks.openLetters('block')) await stage.clicks.replay(letter);
  const unread = await countUnread(stage, counts);
  const missing = {
    unread,
    held: counts.held,
    unpublished: counts.unpublished,
    uncommitted: unread > 0 ? 0 : await countUncommitted(stage),
  };
  return Object.values(missing).every((count) => count === 0) ? undefined : JSON.stringify(missing);
}

/** A busy machine takes its time to start three processes. */
const JOINING_MS = 120_000;

/** Resolves when so many members read. @throws Error when they do not in time */
export async function untilJoined({ brokers, namespace, logger }: Stage, members: number, signal: AbortSignal): Promise<void> {
  const administration = await GroupAdministration.connect({ brokers, namespace, logger, clientId: 'drill' });
  const deadline = Date.now() + JOINING_MS;
  try {
    for (;;) {
      signal.throwIfAborted();
      if (Date.now() > deadline) throw new Error('the members do not join: see their logs (--keep)');
      const group = await administration.describe(GROUP);
      if (group.state === 'Stable' && group.members.length === members) return;
      await delay(PAUSE_MS);
    }
  } finally {
    await administration.close();
  }
}

/** Records that the database does not say are done. */
async function countUnread(stage: Stage, { nextOffsets }: Counts): Promise<number> {
  const ends = await offsetsOf(TOPIC, stage);
  return ends.reduce((sum, { partition, low, high }) => sum + high - (nextOffsets[partition] ?? low), 0);
}

/** Records that Kafka does not know are done. */
async function countUncommitted({ brokers, namespace, logger }: Stage): Promise<number> {
  const administration = await GroupAdministration.connect({ brokers, namespace, logger, clientId: 'drill' });
  try {
    const offsets = await administration.offsets(GROUP, [TOPIC]);
    return offsets.reduce((sum, { high, low, committed }) => sum + high - (committed ?? low), 0);
  } finally {
    await administration.close();
  }
}
