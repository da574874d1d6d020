import type { Pool } from 'pg';
import { boundReason } from './bound-reason.js';

/** Kafka refused this entry when it was tried: what waits behind it goes on waiting. To be called after each try, with the same reason too. */
export async function giveReason(pool: Pool, seq: string, reason: string): Promise<void> {
  await pool.query(`UPDATE outbox_set_aside SET reason = $2, refused_at = clock_timestamp() WHERE seq = $1 AND state = 'waiting'`, [
    seq,
    boundReason(reason),
  ]);
}
