import { topics } from '@shopflow/contracts';
import type { Database } from '@shopflow/database';
import type { ConsumedRecord, RecordReader, TopicPartition } from '@shopflow/kafka';
import { keyText } from '../../held/held-key.js';
import { identifyEvent, identityKey } from '../../identify-event.js';
import { appliedEvents } from './applied-events.js';

/** Where a dead event lies, and of which key it is. */
export interface EventPlace extends TopicPartition {
  readonly offset: number;
  /** Null for an event that is its own key: nothing can be newer. */
  readonly key: Buffer | null;
}

/** Records to look at, of one partition. */
export interface PartitionScan extends TopicPartition {
  /** The first, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** At most so many. */
  readonly limit: number;
}

/**
 * Counts the newer events of the same key that a group has applied since: for each place how many, by reading what lies behind it in
 * the partition.
 *
 * @returns the counts in the order of the places, and where reading ended: before `to` when the limit cut it short
 */
export async function countNewer(
  { database, group, reader }: { database: Database; group: string; reader: Pick<RecordReader, 'read'> },
  places: readonly EventPlace[],
  { from, to, limit, ...partition }: PartitionScan,
): Promise<{ counts: number[]; end: number; records: number }> {
  const counts = places.map(() => 0);
  const keys = new Set(places.flatMap(({ key }) => (key === null ? [] : [keyText(key)])));
  let [offset, records] = [from, 0];
  while (offset < to && records < limit) {
    const page = await reader.read(partition, offset);
    if (page.nextOffset === offset) break;
    const read = page.records.filter((record) => record.offset < to).slice(0, limit - records);
    const applied = await onlyApplied(
      database,
      group,
      read.filter(({ key }) => key !== null && keys.has(keyText(key))),
    );
    places.forEach((place, index) => (counts[index]! += applied.filter((record) => isNewer(record, place)).length));
    records += read.length;
    offset = records < limit ? page.nextOffset : (read.at(-1)?.offset ?? offset) + 1;
  }
  return { counts, end: Math.min(offset, to), records };
}

const isNewer = (record: ConsumedRecord, { offset, key }: EventPlace): boolean =>
  record.offset > offset && key !== null && record.key!.equals(key);

async function onlyApplied(database: Database, group: string, records: readonly ConsumedRecord[]): Promise<ConsumedRecord[]> {
  if (records.length === 0) return [];
  const identities = records.map((record) => identifyEvent(record, ownerOf(record.topic)));
  const applied = await appliedEvents(database, group, identities);
  return records.filter((_, index) => applied.has(identityKey(identities[index]!)));
}

const ownerOf = (topic: string): string => Object.values(topics).find(({ name }) => name === topic)?.owner ?? '';
