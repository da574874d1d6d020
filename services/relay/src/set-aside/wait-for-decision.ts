import type { Pool } from 'pg';

/**
 * Waits until whoever is deciding about a key is done. A decision comes out of the write-ahead log a moment before other sessions can
 * see what was decided: an event that is given up would still seem to wait. Its transaction holds a lock on the entry for as long.
 */
export async function waitForDecision(pool: Pool, topic: string, key: string): Promise<void> {
  await pool.query(`SELECT 1 FROM outbox_set_aside WHERE state = 'waiting' AND topic = $1 AND key = $2 ORDER BY seq LIMIT 1 FOR UPDATE`, [
    topic,
    key,
  ]);
}
