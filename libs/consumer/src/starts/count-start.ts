import type { Database } from '@shopflow/database';
import type { TopicPartition } from '@shopflow/kafka';
import { UNSYNCED } from './unsynced.js';

/** What is known against the events from a partition's stored offset on: one of them may have ended its process. */
export interface Starts {
  /** Tries that began there and are not known to have ended, with the one that was counted now. */
  readonly starts: number;
  /** The highest offset that one of them would have reached, exclusive. */
  readonly suspectUntil: number;
}

/**
 * Counts that work on the offsets from `from` to before `to` begins, outside of its transaction: if the process ends in the
 * middle, the count stays. `advanceOffset` ends the start with the work; {@link giveBackStart} ends that of work that failed.
 *
 * @returns no starts when everything before `to` is done already: by another member, or before a crash
 * @throws ConnectionLostError, or what the server says
 */
export async function countStart(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
  from: number,
  to: number,
): Promise<Starts> {
  const { rows } = await database.query<Record<keyof Starts, string>>(
    `UPDATE consumed_offsets SET starts = starts + 1,
       suspect_until = CASE WHEN starts = 0 THEN $5 ELSE GREATEST(suspect_until, $5) END
     FROM ${UNSYNCED}
     WHERE consumer = $1 AND topic = $2 AND partition = $3 AND next_offset >= $4 AND next_offset < $5
     RETURNING starts, suspect_until AS "suspectUntil"`,
    [consumer, topic, partition, from, to],
    { name: 'consumer-count-start' },
  );
  const [row] = rows;
  return row ? { starts: Number(row.starts), suspectUntil: Number(row.suspectUntil) } : { starts: 0, suspectUntil: to };
}

/**
 * Takes back what {@link countStart} has counted for the same offsets: the work has failed, or will not be done, and its process
 * lives. Does nothing where the partition stands elsewhere by now.
 */
export async function giveBackStart(
  database: Database,
  consumer: string,
  { topic, partition }: TopicPartition,
  from: number,
  to: number,
): Promise<void> {
  await database.query(
    `UPDATE consumed_offsets SET starts = GREATEST(starts - 1, 0)
     FROM ${UNSYNCED}
     WHERE consumer = $1 AND topic = $2 AND partition = $3 AND next_offset >= $4 AND next_offset < $5`,
    [consumer, topic, partition, from, to],
  );
}
