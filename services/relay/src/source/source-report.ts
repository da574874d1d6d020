import type { SourceRelay } from './source-relay.js';

export interface SourceReport {
  readonly source: string;
  readonly slot: string;
  readonly state: string;
  readonly reason: string | null;
  /** Since when it is in this state. */
  readonly since: string;
  /** Events that Kafka accepted from this process, replays included. */
  readonly published: number;
  readonly lastPublishedAt: string | null;
  /** What the database says of its outbox and slot; null while it does not answer. */
  readonly database: DatabaseReport | null;
}

export interface DatabaseReport {
  readonly waiting: number;
  /** Age of the oldest event that waits, in seconds; 0 when none does. */
  readonly oldestAgeSeconds: number;
  /** When a relay last reported how far it is. */
  readonly relaySeenAt: string | null;
  /** Write-ahead log that the slot keeps, in bytes; null without a slot. */
  readonly slotLagBytes: number | null;
}

export async function reportSource(name: string, { slot, status, pool }: SourceRelay): Promise<SourceReport> {
  const database = await pool.query<DatabaseReport>(DATABASE_REPORT, [slot]).then(
    ({ rows }) => rows[0] ?? null,
    () => null, // an outage is no error of the report: state and reason tell of it
  );
  return {
    source: name,
    slot,
    state: status.state,
    reason: status.reason ?? null,
    since: status.since.toISOString(),
    published: status.published,
    lastPublishedAt: status.lastPublishedAt?.toISOString() ?? null,
    database,
  };
}

const DATABASE_REPORT = `
  SELECT waiting::int AS waiting, oldest_age_seconds AS "oldestAgeSeconds", relay_seen_at AS "relaySeenAt",
    (SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::float8 FROM pg_replication_slots WHERE slot_name = $1) AS "slotLagBytes"
  FROM outbox_backlog`;
