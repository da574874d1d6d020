import { DEDUP_HORIZON_DAYS } from '@shopflow/outbox';
import type { ClientBase, Pool } from 'pg';

/** Which events of the outbox an adoption publishes first. Times as the database writes them. */
export interface AdoptionScope {
  /** What the old progress saw is published; null: nothing is. */
  readonly snapshot: string | null;
  /** Everything from there on is published, whatever the snapshot says; null: nothing more. */
  readonly from: string | null;
  /** What is older is not published: consumers have forgotten it, it would take effect twice. */
  readonly horizon: string;
  /** The progress is of another cluster, whose transaction numbers mean nothing here. */
  readonly foreign: boolean;
}

/**
 * After a restored dump the numbers of new transactions say nothing beside those of old ones. What was written after the
 * restore is told by its time, and clocks may differ by this much.
 */
const MARGIN = '1 minute';

const SCOPE = `
  SELECT p.snapshot::text AS snapshot, coalesce(p.system_identifier <> $2, false) AS "foreign",
    least($1::timestamptz, CASE WHEN p.system_identifier <> $2 THEN p.updated_at - interval '${MARGIN}' END)::text AS "from",
    CASE WHEN p.slot IS NULL THEN '-infinity' ELSE (clock_timestamp() - make_interval(days => $3))::text END AS horizon
  FROM (SELECT) one LEFT JOIN relay_progress p ON true`;

export async function readScope(database: Pool | ClientBase, since: string | null, systemIdentifier: string): Promise<AdoptionScope> {
  const { rows } = await database.query<AdoptionScope>(SCOPE, [since, systemIdentifier, DEDUP_HORIZON_DAYS]);
  return rows[0]!;
}

const UNPUBLISHED = `$1::pg_snapshot IS NULL
  OR (o.xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(o.xid, $1::pg_snapshot))
  OR o.created_at >= $2::timestamptz`;
/** Replays that nobody has published yet, and what somebody has given up. */
const CHOSEN = `(${UNPUBLISHED} OR o.id IN (
    SELECT r.event_id FROM outbox_replays r WHERE NOT pg_visible_in_snapshot(r.xid, $1::pg_snapshot) OR r.created_at >= $2::timestamptz))
  AND NOT EXISTS (SELECT FROM outbox_set_aside a WHERE a.event_id = o.id AND a.state = 'discarded')`;

/** A condition on `outbox o` with its values. */
export interface Condition {
  readonly where: string;
  readonly values: readonly unknown[];
}

export const toPublish = ({ snapshot, from, horizon }: AdoptionScope): Condition => ({
  where: `${CHOSEN} AND o.created_at >= $3::timestamptz`,
  values: [snapshot, from, horizon],
});

export const toSkip = ({ snapshot, from, horizon }: AdoptionScope): Condition => ({
  where: `${CHOSEN} AND o.created_at < $3::timestamptz`,
  values: [snapshot, from, horizon],
});

/** Without a look at replays: answered by the index on `xid`, as long as the progress is of this cluster. */
export const unpublished = ({ snapshot, from }: AdoptionScope): Condition => ({ where: UNPUBLISHED, values: [snapshot, from] });

/** @param limit counts no further: one more means that there are more */
export async function countEvents(database: Pool | ClientBase, { where, values }: Condition, limit?: number): Promise<number> {
  const bound = limit === undefined ? 'ALL' : limit + 1;
  const { rows } = await database.query<{ events: number }>(
    `SELECT count(*)::float8 AS events FROM (SELECT FROM outbox o WHERE ${where} LIMIT ${bound}) counted`,
    [...values],
  );
  return rows[0]!.events;
}
