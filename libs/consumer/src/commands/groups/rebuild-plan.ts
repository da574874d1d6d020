import type { Database } from '@shopflow/database';
import type { RecordReader } from '@shopflow/kafka';
import { withAdministration, withReader } from '../kafka-connections.js';
import type { OperatingContext } from '../operated-group.js';
import { readStoredOffsets } from '../read-stored-offsets.js';
import { timeOfFirst } from './measure-lag.js';

/** What a rebuild clears, and from when on it can make it again. */
export interface RebuildPlan {
  readonly group: string;
  /** Rows by table. */
  readonly cleared: Readonly<Record<string, number>>;
  readonly discardedDeadLetters: number;
  readonly topics: readonly TopicStart[];
}

/** From when on Kafka still has a topic's events. */
export interface TopicStart {
  readonly topic: string;
  /** Null for an empty topic. */
  readonly since: Date | null;
  /** Older events were there, and have expired. */
  readonly incomplete: boolean;
}

export async function planRebuild(context: OperatingContext, tables: readonly string[]): Promise<RebuildPlan> {
  const { database, service } = context;
  const { group } = service;
  const own = await countOwnRows(database, group);
  const projections = await Promise.all(tables.map(async (table) => [table, await countRows(database, table)] as const));
  const { openDeadLetters, ...cleared } = own;
  return {
    group,
    cleared: { ...cleared, ...Object.fromEntries(projections) },
    discardedDeadLetters: openDeadLetters,
    topics: await topicStarts(context),
  };
}

interface OwnRows {
  readonly processed_events: number;
  readonly held_events: number;
  readonly consumed_offsets: number;
  readonly openDeadLetters: number;
}

async function countOwnRows(database: Database, consumer: string): Promise<OwnRows> {
  const { rows } = await database.query<OwnRows>(
    `SELECT (SELECT count(*) FROM processed_events WHERE consumer = $1)::float8 AS processed_events,
            (SELECT count(*) FROM held_events WHERE consumer = $1)::float8 AS held_events,
            (SELECT count(*) FROM consumed_offsets WHERE consumer = $1)::float8 AS consumed_offsets,
            (SELECT count(*) FROM dead_letters WHERE consumer = $1 AND state = 'open')::float8 AS "openDeadLetters"`,
    [consumer],
  );
  return rows[0]!;
}

/** @param table a name that the service's own code gives */
async function countRows(database: Database, table: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM "${table}"`);
  return rows[0]!.count;
}

async function topicStarts(context: OperatingContext): Promise<TopicStart[]> {
  const { group, topics: subscribed } = context.service;
  const stored = await readStoredOffsets(context.database, group);
  const topics = [...new Set([...subscribed.map(({ name }) => name), ...stored.map(({ topic }) => topic)])];
  const offsets = await withAdministration(context, (admin) => admin.offsets(group, topics));
  return withReader(context, async (reader) => {
    const starts: TopicStart[] = [];
    for (const topic of topics)
      starts.push(
        await startOf(
          reader,
          topic,
          offsets.filter((offset) => offset.topic === topic),
        ),
      );
    return starts;
  });
}

/** All of a topic's events are there from when the last of its partitions begins. */
async function startOf(
  reader: RecordReader,
  topic: string,
  partitions: readonly { partition: number; low: number; high: number }[],
): Promise<TopicStart> {
  const begun: number[] = [];
  for (const { partition, low, high } of partitions) {
    const time = await timeOfFirst(reader, { topic, partition }, low, high);
    if (time !== null) begun.push(time);
  }
  const incomplete = partitions.some(({ low }) => low > 0);
  const since = incomplete ? Math.max(...begun) : Math.min(...begun);
  return { topic, since: Number.isFinite(since) ? new Date(since) : null, incomplete };
}
