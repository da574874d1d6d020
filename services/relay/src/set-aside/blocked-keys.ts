import type { Pool } from 'pg';

/** A key whose events wait: by its head, the first of them. */
export interface BlockedKey {
  /** Logical topic. */
  readonly topic: string;
  readonly key: string;
  /** The head: what has to be decided about. */
  readonly eventId: string;
  /** Why Kafka refused the head; null when it has not been tried since the one before it was decided. */
  readonly reason: string | null;
  /** When the head was set aside. */
  readonly since: Date;
  /** When Kafka refused the head last. */
  readonly refusedAt: Date | null;
  /** How many events wait behind the head. */
  readonly behind: number;
  /** The last retry of the head that somebody asked for. */
  readonly retryAskedAt: Date | null;
  readonly retryAskedBy: string | null;
}

/** What is listed; what is left out does not narrow it. */
export interface KeyFilter {
  readonly topic?: string | undefined;
  readonly key?: string | undefined;
}

/** The keys whose events wait, the one that has waited longest first. */
export async function listBlockedKeys(pool: Pool, { topic = null, key = null }: { [Name in keyof KeyFilter]: KeyFilter[Name] | null }) {
  const { rows } = await pool.query<BlockedKey>(BLOCKED_KEYS, [topic, key]);
  return rows;
}

const BLOCKED_KEYS = `
  SELECT head.topic, head.key, head.event_id AS "eventId", head.reason, head.set_aside_at AS since, head.refused_at AS "refusedAt",
    blocked.behind, retry.created_at AS "retryAskedAt", retry.who AS "retryAskedBy"
  FROM (
    SELECT min(seq) AS seq, count(*)::int - 1 AS behind FROM outbox_set_aside
    WHERE state = 'waiting' AND ($1::text IS NULL OR topic = $1) AND ($2::text IS NULL OR key = $2)
    GROUP BY topic, key
  ) blocked
  JOIN outbox_set_aside head ON head.seq = blocked.seq
  LEFT JOIN LATERAL (
    SELECT created_at, who FROM outbox_set_aside_decisions WHERE set_aside_seq = head.seq AND what = 'retry' ORDER BY seq DESC LIMIT 1
  ) retry ON true
  ORDER BY head.seq`;
