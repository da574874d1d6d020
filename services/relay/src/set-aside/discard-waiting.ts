import type { ClientBase } from 'pg';
import type { Asker } from './record-retry.js';

/** Gives waiting entries up, and writes down who did and why: the relay passes them over. */
export async function discardWaiting(client: ClientBase, seqs: readonly string[], { who, why }: Asker): Promise<void> {
  await client.query(discard('w.seq = ANY ($1::bigint[])'), [seqs, who, why]);
}

/** The same for these and for everything that waits behind them now. */
export async function discardBehind(client: ClientBase, seqs: readonly string[], { who, why }: Asker): Promise<void> {
  await client.query(discard('w.topic = given.topic AND w.key = given.key AND w.seq >= given.first', GIVEN), [seqs, who, why]);
}

const GIVEN = `FROM (SELECT topic, key, min(seq) AS first FROM outbox_set_aside WHERE seq = ANY ($1::bigint[]) GROUP BY topic, key) given`;

const discard = (which: string, from = '') => `
  WITH discarded AS (
    UPDATE outbox_set_aside w SET state = 'discarded', decided_at = clock_timestamp() ${from}
    WHERE w.state = 'waiting' AND ${which} RETURNING w.seq, w.event_id, w.topic, w.key
  )
  INSERT INTO outbox_set_aside_decisions (set_aside_seq, event_id, topic, key, what, who, why)
  SELECT seq, event_id, topic, key, 'discard', $2, $3 FROM discarded ORDER BY seq`;
