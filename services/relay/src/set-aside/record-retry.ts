import type { ClientBase } from 'pg';

export interface Asker {
  /** Who asks, as people know them. */
  readonly who: string;
  readonly why: string;
}

/** Writes down who asked for entries to be tried again, and why. */
export async function recordRetry(client: ClientBase, seqs: readonly string[], { who, why }: Asker): Promise<void> {
  await client.query(
    `INSERT INTO outbox_set_aside_decisions (set_aside_seq, event_id, topic, key, what, who, why)
     SELECT seq, event_id, topic, key, 'retry', $2, $3 FROM outbox_set_aside WHERE seq = ANY ($1::bigint[]) ORDER BY seq`,
    [seqs, who, why],
  );
}
