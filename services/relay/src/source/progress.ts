import type { ClientBase, Pool } from 'pg';
import { formatLsn, type Lsn } from '../replication/lsn.js';
import { MESSAGE_PREFIX } from '../replication/read-arrivals.js';

export interface Progress {
  readonly slot: string;
  readonly systemIdentifier: string;
}

/** What the relay has published so far, or undefined when it never has. */
export async function readProgress(pool: Pool): Promise<Progress | undefined> {
  const { rows } = await pool.query<Progress>('SELECT slot, system_identifier AS "systemIdentifier" FROM relay_progress');
  return rows[0];
}

/**
 * Stores that every row visible in `snapshot`, which was taken before `lsn`, is published. An older one changes nothing, nor does
 * one of another slot or cluster: whose the progress is changes with an adoption alone.
 */
export async function storeProgress(pool: Pool, { slot, systemIdentifier }: Progress, snapshot: string, lsn: Lsn): Promise<void> {
  await pool.query(
    `${STORE} WHERE relay_progress.lsn <= EXCLUDED.lsn
       AND relay_progress.slot = EXCLUDED.slot AND relay_progress.system_identifier = EXCLUDED.system_identifier`,
    [slot, systemIdentifier, snapshot, formatLsn(lsn)],
  );
}

/** Stores it whatever stood there before: the position of another cluster may be larger. */
export async function moveProgress(client: ClientBase, { slot, systemIdentifier }: Progress, snapshot: string, lsn: Lsn): Promise<void> {
  await client.query(STORE, [slot, systemIdentifier, snapshot, formatLsn(lsn)]);
}

const STORE = `
  INSERT INTO relay_progress (slot, system_identifier, snapshot, lsn) VALUES ($1, $2, $3, $4)
  ON CONFLICT (only_row) DO UPDATE
  SET slot = EXCLUDED.slot, system_identifier = EXCLUDED.system_identifier, snapshot = EXCLUDED.snapshot,
      lsn = EXCLUDED.lsn, updated_at = clock_timestamp()`;

/**
 * Writes what is committed now into the log. Once the stream brings it back, all of that has come before it. Flushed at
 * once: on a quiet server nothing else would flush it, and the stream brings only what is on disk.
 */
export async function emitSnapshot(pool: Pool): Promise<void> {
  await pool.query('SELECT pg_logical_emit_message(false, $1, pg_current_snapshot()::text, true)', [MESSAGE_PREFIX]);
}
