import type { Database } from '@shopflow/database';
import type { HeldSeqs } from '../held/write-held-events.js';
import { UNSYNCED } from './unsynced.js';

type OfKey = Omit<HeldSeqs, 'consumer'>;

/**
 * Counts that held events begin, outside of the transaction that runs them: if the process ends in the middle, the count stays.
 * Before that transaction has written to these rows, or it would wait for itself.
 *
 * @returns by `seq`, each start counted with the one that was counted now; events that are held no more are left out
 * @throws ConnectionLostError, or what the server says
 */
export async function countHeldStarts(database: Database, consumer: string, held: OfKey): Promise<Map<number, number>> {
  const { rows } = await database.query<{ seq: string; starts: number }>(
    `UPDATE held_events SET starts = starts + 1 FROM ${UNSYNCED}
     WHERE consumer = $1 AND topic = $2 AND key = $3 AND seq = ANY ($4::bigint[])
     RETURNING seq, starts`,
    valuesOf(consumer, held),
  );
  return new Map(rows.map(({ seq, starts }) => [Number(seq), starts]));
}

/** Takes back what {@link countHeldStarts} has counted: the events were not begun, or have failed, and the process lives. */
export async function giveBackHeldStarts(database: Database, consumer: string, held: OfKey): Promise<void> {
  await database.query(
    `UPDATE held_events SET starts = GREATEST(starts - 1, 0) FROM ${UNSYNCED}
     WHERE consumer = $1 AND topic = $2 AND key = $3 AND seq = ANY ($4::bigint[])`,
    valuesOf(consumer, held),
  );
}

const valuesOf = (consumer: string, { topic, key, seqs }: OfKey): unknown[] => [consumer, topic, key, [...seqs]];
