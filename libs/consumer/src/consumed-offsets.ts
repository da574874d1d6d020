import { clientOf, type Database, type Transaction } from '@shopflow/database';
import type { TopicPartition } from '@shopflow/kafka';

/** The database has less than it had: it was restored to an earlier state. What is missing must be read again. */
export class DatabaseWentBackError extends Error {
  constructor({ topic, partition }: TopicPartition, position: number) {
    super(`consumed_offsets of ${topic}/${partition} is behind offset ${position}, which was stored before: the database went back`);
    this.name = 'DatabaseWentBackError';
  }
}

/** The partition's next offset, or null when none is stored. */
export async function readConsumedOffset(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
): Promise<number | null> {
  const { rows } = await database.query<{ nextOffset: string }>(
    `SELECT next_offset AS "nextOffset" FROM consumed_offsets WHERE consumer = $1 AND topic = $2 AND partition = $3`,
    [consumer, topic, partition],
  );
  return rows[0] === undefined ? null : Number(rows[0].nextOffset);
}

/** Says where reading begins, before it begins. */
export async function storeStartOffset(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
  offset: number,
): Promise<void> {
  await database.query(
    `INSERT INTO consumed_offsets (consumer, topic, partition, next_offset) VALUES ($1, $2, $3, $4)
     ON CONFLICT (consumer, topic, partition) DO UPDATE SET next_offset = EXCLUDED.next_offset`,
    [consumer, topic, partition, offset],
  );
}

/**
 * Moves the partition's offset from `from` to `to` with the work that this takes. A member that is late, because its
 * process was frozen for instance, does not move it back.
 *
 * @throws DatabaseWentBackError when the stored offset is before `from`
 */
export async function advanceOffset(tx: Transaction, consumer: string, partition: TopicPartition, from: number, to: number): Promise<void> {
  const client = await clientOf(tx);
  const { rowCount } = await client.query({
    name: 'consumer-advance',
    text: `UPDATE consumed_offsets SET next_offset = GREATEST(next_offset, $5)
           WHERE consumer = $1 AND topic = $2 AND partition = $3 AND next_offset >= $4`,
    values: [consumer, partition.topic, partition.partition, from, to],
  });
  if (rowCount === 0) throw new DatabaseWentBackError(partition, from);
}
