import type { Pool } from 'pg';

/** Kafka has accepted these entries. It is said also of one that was discarded while it was on its way: the topic has it. */
export async function markPublished(pool: Pool, seqs: readonly string[]): Promise<void> {
  if (seqs.length === 0) return;
  await pool.query(
    `UPDATE outbox_set_aside SET state = 'published', decided_at = clock_timestamp() WHERE seq = ANY ($1::bigint[]) AND state <> 'published'`,
    [seqs],
  );
}
