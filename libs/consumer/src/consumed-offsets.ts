import { clientOf, type Database, type Transaction } from '@shopflow/database';
import type { TopicPartition } from '@shopflow/kafka';

/** The database has less than it had: it was restored to an earlier state. What is missing must be read again. */
export class DatabaseWentBackError extends Error {
  constructor({ topic, partition }: TopicPartition, position: number) {
    super(`consumed_offsets of ${topic}/${partition} is behind offset ${position}, which was stored before: the database went back`);
    this.name = 'DatabaseWentBackError';
  }
}

/** How far a group has come in a partition. */
export interface ConsumedOffset {
  /** Everything before it is in this database. */
  readonly nextOffset: number;
  /** Tries that began at `nextOffset` and are not known to have ended: see `countStart`. */
  readonly starts: number;
  /** The highest offset that those tries would have reached; means nothing without starts. */
  readonly suspectUntil: number;
}

/** Null when nothing is stored of the partition. */
export async function readConsumedOffset(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
): Promise<ConsumedOffset | null> {
  const { rows } = await database.query<Record<keyof ConsumedOffset, string>>(
    `SELECT next_offset AS "nextOffset", starts, suspect_until AS "suspectUntil"
     FROM consumed_offsets WHERE consumer = $1 AND topic = $2 AND partition = $3`,
    [consumer, topic, partition],
  );
  const [row] = rows;
  return row ? { nextOffset: Number(row.nextOffset), starts: Number(row.starts), suspectUntil: Number(row.suspectUntil) } : null;
}

/** Says where reading begins, before it begins. What was suspected of another place is forgotten. */
export async function storeStartOffset(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
  offset: number,
): Promise<void> {
  await database.query(
    `INSERT INTO consumed_offsets (consumer, topic, partition, next_offset) VALUES ($1, $2, $3, $4)
     ON CONFLICT (consumer, topic, partition)
     DO UPDATE SET next_offset = EXCLUDED.next_offset, starts = DEFAULT, suspect_until = DEFAULT`,
    [consumer, topic, partition, offset],
  );
}

export interface OffsetMove {
  readonly from: number;
  readonly to: number;
  /** An event before this offset may have ended a process that worked on it. */
  readonly suspectUntil?: number;
}

/** A member that is late leaves everything as it is. What lies behind `to` and is suspected stays so. */
const ADVANCE = `
  UPDATE consumed_offsets SET
    starts = CASE WHEN next_offset >= $5 THEN starts WHEN $6::bigint > $5 THEN 1 ELSE 0 END,
    next_offset = GREATEST(next_offset, $5)
  WHERE consumer = $1 AND topic = $2 AND partition = $3 AND next_offset >= $4`;

/**
 * Moves the partition's offset from `from` to `to` with the work that this takes, and ends its start. A member that is late,
 * because its process was frozen for instance, does not move it back.
 *
 * @throws DatabaseWentBackError when the stored offset is before `from`
 */
export async function advanceOffset(
  tx: Transaction,
  consumer: string,
  partition: TopicPartition,
  { from, to, suspectUntil = 0 }: OffsetMove,
): Promise<void> {
  const client = await clientOf(tx);
  const { rowCount } = await client.query({
    name: 'consumer-advance',
    text: ADVANCE,
    values: [consumer, partition.topic, partition.partition, from, to, suspectUntil],
  });
  if (rowCount === 0) throw new DatabaseWentBackError(partition, from);
}
