import { sql, type Transaction } from '@shopflow/database';
import type { HeldKey } from './held-key.js';

/**
 * Brings a key that this transaction has locked in line with its events: due when its head is, never behind a dead head, and
 * no longer held when nothing waits.
 *
 * @param deaths heads that died in a row
 */
export async function settleKey(tx: Transaction, consumer: string, { topic, key }: HeldKey, deaths: number): Promise<void> {
  const { count } = await sql(tx, FOLLOW_HEAD, [consumer, topic, key, deaths]);
  if (count === 0) await sql(tx, 'DELETE FROM held_keys WHERE consumer = $1 AND topic = $2 AND key = $3', [consumer, topic, key]);
}

const FOLLOW_HEAD = `
  UPDATE held_keys SET due_at = CASE head.state WHEN 'dead' THEN 'infinity' ELSE head.due_at END, deaths = $4
  FROM (SELECT state, due_at FROM held_events WHERE consumer = $1 AND topic = $2 AND key = $3 ORDER BY seq LIMIT 1) AS head
  WHERE consumer = $1 AND topic = $2 AND key = $3`;
