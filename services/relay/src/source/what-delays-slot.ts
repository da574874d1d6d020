import type { Pool } from 'pg';

const LOOK_MS = 1_000;

/**
 * A new slot begins when every transaction has ended that was writing, in any database of the server. Says which one it
 * waits for until the returned function is called.
 */
export function watchWhatDelays({ pool, onWaiting }: { pool: Pool; onWaiting: (reason: string) => void }): () => void {
  let watching = true;
  const timer = setInterval(() => {
    oldestWriter(pool).then(
      (writer) => watching && onWaiting(`the new slot waits for ${writer} to end`),
      () => {}, // the slot's own connection tells of an outage
    );
  }, LOOK_MS);
  return () => {
    watching = false;
    clearInterval(timer);
  };
}

async function oldestWriter(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ pid: number; datname: string; application: string; since: string }>(
    `SELECT pid, datname, application_name AS application, to_char(xact_start, 'HH24:MI:SS TZ') AS since
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL ORDER BY xact_start LIMIT 1`,
  );
  const oldest = rows[0];
  if (oldest === undefined) return 'prepared transactions';
  return `the transaction of process ${oldest.pid} (${oldest.application || 'unnamed'}, database ${oldest.datname}, since ${oldest.since})`;
}
