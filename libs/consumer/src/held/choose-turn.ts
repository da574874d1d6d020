import type { Database } from '@shopflow/database';
import type { HeldKey } from './held-key.js';

/** Held events that are tried in one transaction, at most: savepoints beyond some 60 slow the whole server down. */
const AT_ONCE = 50;

/**
 * The first events of a key that are due, without locking anything: one alone where a try has failed, or has begun and not ended.
 *
 * @returns their `seq`s, none when the head is not due or there is none; `suspect` when a try of the head began and did not end
 */
export async function chooseTurn(
  database: Database,
  consumer: string,
  { topic, key }: HeldKey,
  now: Date,
): Promise<{ seqs: number[]; suspect: boolean }> {
  const { rows } = await database.query<{ seq: number; due: boolean; suspect: boolean; alone: boolean }>(
    `SELECT seq::float8 AS seq, state = 'waiting' AND due_at <= $4 AS due, starts > 0 AS suspect,
       starts > 0 OR attempts > 0 AS alone
     FROM held_events WHERE consumer = $1 AND topic = $2 AND key = $3 ORDER BY seq LIMIT ${AT_ONCE}`,
    [consumer, topic, key, now],
  );
  const end = rows.findIndex(({ due, alone }, place) => !due || (alone && place > 0));
  const due = end < 0 ? rows : rows.slice(0, end);
  const turn = due[0]?.alone ? due.slice(0, 1) : due;
  return { seqs: turn.map(({ seq }) => seq), suspect: turn[0]?.suspect === true };
}

export { AT_ONCE as HELD_EVENTS_AT_ONCE };
