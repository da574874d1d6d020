import type { GroupAdministration, PartitionOffsets, RecordReader, TopicPartition } from '@shopflow/kafka';
import { retryTopics } from '../../retry/retry-topics.js';
import { withAdministration, withReader } from '../kafka-connections.js';
import type { OperatingContext } from '../operated-group.js';
import { readStoredOffsets, type StoredOffset } from '../read-stored-offsets.js';
import type { LagReport, PartitionLag } from './group-reports.js';

/** How far the group is behind, partition by partition. @throws when Kafka does not answer */
export const measureLag = (context: OperatingContext): Promise<LagReport> =>
  withAdministration(context, (admin) => withReader(context, (reader) => measure(context, admin, reader)));

async function measure(
  { database, service: { group, topics: subscribed }, clock }: OperatingContext,
  admin: GroupAdministration,
  reader: RecordReader,
) {
  const stored = await readStoredOffsets(database, group);
  const topics = new Set([
    ...subscribed.map(({ name }) => name),
    ...stored.map(({ topic }) => topic),
    ...(await admin.committedTopics(group)),
  ]);
  const lagsOf = async (offsets: readonly PartitionOffsets[], known: readonly StoredOffset[]) => {
    const lags: PartitionLag[] = [];
    for (const partition of offsets) lags.push(await lagOf(reader, partition, nextOffsetIn(known, partition), clock()));
    return lags;
  };
  const partitions = await lagsOf(await admin.offsets(group, [...topics].toSorted()), stored);
  const retry = await lagsOf(await admin.offsets(`${group}.retry`, retryTopics(group)), []);
  return { group, ...sumsOf(partitions), partitions, retry: { ...sumsOf(retry), partitions: retry } };
}

const nextOffsetIn = (stored: readonly StoredOffset[], { topic, partition }: TopicPartition): number | null =>
  stored.find((offset) => offset.topic === topic && offset.partition === partition)?.nextOffset ?? null;

async function lagOf(
  reader: RecordReader,
  { topic, partition, committed, low, high }: PartitionOffsets,
  stored: number | null,
  now: Date,
): Promise<PartitionLag> {
  // The effects are in the database, so it says what is done; Kafka's offset follows.
  const done = Math.max(stored ?? committed ?? 0, low);
  const lag = { topic, partition, committed, stored, high, records: Math.max(0, high - done) };
  if (lag.records === 0) return { ...lag, seconds: 0 };
  const since = await timeOfFirst(reader, { topic, partition }, done, high);
  return { ...lag, seconds: since === null ? null : Math.max(0, Math.round((now.getTime() - since) / 1_000)) };
}

/**
 * When the first record from an offset on was written, in milliseconds since 1970: by reading it, since Kafka answers only the opposite
 * question. Null when there is none: what transactions leave behind takes offsets too.
 */
export async function timeOfFirst(reader: RecordReader, place: TopicPartition, from: number, to: number): Promise<number | null> {
  for (let offset = from; offset < to;) {
    const { records, nextOffset } = await reader.read(place, offset, { atLeastOne: true });
    if (records[0] !== undefined) return records[0].timestamp;
    if (nextOffset === offset) return null;
    offset = nextOffset;
  }
  return null;
}

const sumsOf = (partitions: readonly PartitionLag[]) => ({
  records: partitions.reduce((sum, { records }) => sum + records, 0),
  seconds: Math.max(0, ...partitions.map(({ seconds }) => seconds ?? 0)),
});
