import type { Pool } from 'pg';

/** The view lags by up to two seconds while all is well. */
const LATE_SECONDS = 3;
/** Enough to see it, and cheap also with millions waiting. */
const LOOKED_AT = 1_000;

/** Whether events of this source have waited to be published for longer than the relay takes when all is well. */
export async function isBehind(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ behind: boolean }>(BEHIND, [LOOKED_AT, LATE_SECONDS]);
  return rows[0]?.behind ?? false;
}

// The oldest by transaction; after a restart or an adoption `xid` may say nothing of an old row's age, its own time does.
const BEHIND = `
  SELECT coalesce(bool_or(state = 'waiting' AND created_at < clock_timestamp() - make_interval(secs => $2)), false) AS behind
  FROM outbox_state
  WHERE seq = ANY (ARRAY(
    SELECT seq FROM outbox WHERE xid >= coalesce((SELECT pg_snapshot_xmin(snapshot) FROM relay_progress), '0'::xid8) ORDER BY xid LIMIT $1))`;
