import type { Pool } from 'pg';
import { unhurried } from './unhurried.js';

/**
 * Deletes entries of events that were set aside, decided about long ago and gone from the outbox. Who decided stays on record.
 *
 * @returns how many, at most `rows`
 */
export async function deleteDecided(pool: Pool, rows: number, before: Date): Promise<number> {
  const deleted = await unhurried(pool, DELETE, [rows, before]);
  return deleted.length;
}

const DELETE = `
  DELETE FROM outbox_set_aside WHERE seq = ANY (ARRAY(
    SELECT a.seq FROM outbox_set_aside a
    WHERE a.state <> 'waiting' AND a.decided_at < $2 AND NOT EXISTS (SELECT FROM outbox o WHERE o.id = a.event_id)
    ORDER BY a.decided_at LIMIT $1))
  RETURNING seq`;
