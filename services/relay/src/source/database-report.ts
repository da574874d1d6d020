import type { Pool } from 'pg';

/** What a source's database says of its outbox, its slot and what the relay stored: true with every relay dead. */
export interface DatabaseReport {
  /** Events and replays that are not published yet. */
  readonly waiting: number;
  /** Age of the oldest of them, in seconds; 0 when none waits. */
  readonly oldestAgeSeconds: number;
  /** When a relay last stored how far it is, and up to which position of the log. */
  readonly relaySeenAt: string | null;
  readonly progressLsn: string | null;
  /** The PostgreSQL cluster whose events the relay published, and the slot by which. */
  readonly progressCluster: string | null;
  readonly progressSlot: string | null;
  /** Null: there is no such slot. */
  readonly slotActive: boolean | null;
  /** Process of the server that serves the slot's holder, how the holder calls itself, and from where it came. */
  readonly slotPid: number | null;
  readonly slotHolder: string | null;
  readonly slotHolderAddress: string | null;
  /** Log that the server keeps for the slot, in bytes: what fills its disk. */
  readonly slotKeptBytes: number | null;
  /** Log that the relay has not acknowledged, in bytes. */
  readonly slotLagBytes: number | null;
  /** `reserved`, `extended`, `unreserved` or `lost`: docs of `pg_replication_slots`. */
  readonly walStatus: string | null;
  /** How much more may be written before the slot is lost, in bytes; null without a limit. */
  readonly safeWalBytes: number | null;
  /** Why the server gave the slot up. */
  readonly slotInvalid: string | null;
  readonly slotFailover: boolean | null;
  /** Keys of which something is set aside, and how many events that is: those that Kafka refuses and those behind them. */
  readonly setAsideKeys: number;
  readonly setAsideEvents: number;
}

/** @throws what the database answers, or that it does not */
export async function readDatabaseReport(pool: Pool, slot: string): Promise<DatabaseReport> {
  const { rows } = await pool.query<DatabaseReport>(REPORT, [slot]);
  return rows[0]!;
}

/** The cluster that this is, or null when this user may not ask. */
export async function readCluster(pool: Pool): Promise<string | null> {
  return pool.query<{ cluster: string }>('SELECT system_identifier::text AS cluster FROM pg_control_system()').then(
    ({ rows }) => rows[0]?.cluster ?? null,
    () => null,
  );
}

const REPORT = `
  SELECT b.waiting::int AS waiting, b.oldest_age_seconds AS "oldestAgeSeconds",
    p.updated_at AS "relaySeenAt", p.lsn::text AS "progressLsn", p.system_identifier AS "progressCluster", p.slot AS "progressSlot",
    s.active AS "slotActive", s.active_pid AS "slotPid", s.wal_status AS "walStatus", s.safe_wal_size::float8 AS "safeWalBytes",
    s.invalidation_reason AS "slotInvalid", s.failover AS "slotFailover",
    h.application_name AS "slotHolder", host(h.client_addr) AS "slotHolderAddress",
    pg_wal_lsn_diff(w.now, s.restart_lsn)::float8 AS "slotKeptBytes",
    greatest(pg_wal_lsn_diff(w.now, s.confirmed_flush_lsn), 0)::float8 AS "slotLagBytes",
    a.keys::int AS "setAsideKeys", a.events::int AS "setAsideEvents"
  FROM outbox_backlog b
  LEFT JOIN relay_progress p ON true
  LEFT JOIN pg_replication_slots s ON s.slot_name = $1
  LEFT JOIN pg_stat_activity h ON h.pid = s.active_pid
  CROSS JOIN (SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS now) w
  CROSS JOIN (SELECT count(DISTINCT (topic, key)) AS keys, count(*) AS events FROM outbox_set_aside WHERE state = 'waiting') a`;
