import { type CommandResult, table } from '@shopflow/command-line';
import type { PartitionOffsets, RecordReader, TopicPartition } from '@shopflow/kafka';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import { withAdministration, withReader } from '../kafka-connections.js';
import type { OperatingContext } from '../operated-group.js';
import { readStoredOffsets, type StoredOffset } from '../read-stored-offsets.js';
import { countNewer, type EventPlace } from './count-newer.js';
import { NOTHING_FITS, type Selection, selectLetters } from './select-letters.js';

interface PreviewOptions {
  /** Records of Kafka that are looked at, at most. */
  readonly scanLimit: number;
  readonly json: boolean;
}

/** What would be decided about, and how much of it the group has overtaken. */
interface PreviewItem extends EventPlace {
  readonly eventId: string;
  readonly subject: string;
  readonly orderId: string | null;
  readonly state: string;
  /** Newer events of its key that were applied; null when it cannot be known. */
  newer: number | null;
  /** Why `newer` is null, or less than it might be. */
  note: string;
}

/** `--dry-run`: changes nothing. */
export async function previewDecision(context: OperatingContext, selection: Selection, options: PreviewOptions): Promise<CommandResult> {
  const items: PreviewItem[] = [];
  const missing: string[] = [];
  for await (const letter of selectLetters(context, selection)) {
    if ('unknown' in letter) missing.push(letter.eventId);
    else items.push(toItem(letter));
  }
  for (const eventId of missing) context.terminal.note(`group ${context.service.group} has no dead letter of event ${eventId}`);
  if (items.length > 0) await countAll(context, items, options.scanLimit);
  else if (missing.length === 0) context.terminal.note(NOTHING_FITS);
  return { lines: options.json ? items.map(inJson) : inTable(items), ok: missing.length === 0 };
}

const toItem = ({ eventId, subject, orderId, state, record }: DeadLetter): PreviewItem => {
  const { topic, partition, offset, key } = record; // not its value: there may be many
  return { eventId, subject, orderId, state, topic, partition, offset, key, newer: null, note: '' };
};

const inJson = ({ key: _key, note, ...item }: PreviewItem) => JSON.stringify({ ...item, ...(note !== '' && { note }) });

const inTable = (items: readonly PreviewItem[]) =>
  items.length === 0
    ? []
    : table(
        ['event', 'subject', 'key', 'state', 'newer events applied', 'note'],
        items.map(({ eventId, subject, orderId, state, newer, note }) => [eventId, subject, orderId, state, newer, note]),
      );

async function countAll(context: OperatingContext, items: readonly PreviewItem[], scanLimit: number): Promise<void> {
  const topics = [...new Set(items.map(({ topic }) => topic))];
  const offsets = await withAdministration(context, (admin) => admin.offsets(context.service.group, topics));
  const stored = await readStoredOffsets(context.database, context.service.group);
  await withReader(context, async (reader) => {
    let limit = scanLimit;
    for (const partition of partitionsOf(items)) limit -= await countPartition(context, reader, partition, { offsets, stored, limit });
  });
}

function partitionsOf(items: readonly PreviewItem[]): PreviewItem[][] {
  return [...Map.groupBy(items, ({ topic, partition }) => `${partition} ${topic}`).values()];
}

/** @returns how many records it looked at */
async function countPartition(
  { database, service: { group } }: OperatingContext,
  reader: RecordReader,
  items: readonly PreviewItem[],
  { offsets, stored, limit }: { offsets: readonly PartitionOffsets[]; stored: readonly StoredOffset[]; limit: number },
): Promise<number> {
  const { topic, partition } = items[0]!;
  const isIt = (place: TopicPartition) => place.topic === topic && place.partition === partition;
  const known = offsets.find(isIt);
  if (known === undefined) {
    for (const item of items) item.note = `Kafka has no ${topic}/${partition}`;
    return 0;
  }
  const to = Math.min(known.high, stored.find(isIt)?.nextOffset ?? 0);
  const from = Math.max(known.low, Math.min(...items.map(({ offset }) => offset)) + 1);
  const { counts, end, records } = await countNewer({ database, group, reader }, items, { topic, partition, from, to, limit });
  items.forEach((item, index) => {
    item.newer = counts[index]!;
    item.note = end < to ? `counted to offset ${end} of ${to}: see --scan-limit` : item.offset + 1 < known.low ? expired(known.low) : '';
  });
  return records;
}

const expired = (low: number) => `records before offset ${low} have expired`;
