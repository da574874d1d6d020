import type { Database } from '@shopflow/database';
import type { TopicPartition } from '@shopflow/kafka';

export interface StoredOffset extends TopicPartition {
  /** Everything before it is in the database. */
  readonly nextOffset: number;
}

/** How far a group is in every partition that it has begun, by its database. */
export async function readStoredOffsets(database: Database, consumer: string): Promise<StoredOffset[]> {
  const { rows } = await database.query<StoredOffset>(
    `SELECT topic, partition, next_offset::float8 AS "nextOffset" FROM consumed_offsets WHERE consumer = $1 ORDER BY topic, partition`,
    [consumer],
  );
  return rows;
}
