import type { ClientBase, Pool } from 'pg';

/** The last entry of an event, with what a decision about it has to know. */
export interface FoundEntry {
  /** Names the entry; a bigint as text. */
  readonly seq: string;
  readonly eventId: string;
  /** Logical topic. */
  readonly topic: string;
  readonly key: string;
  readonly reason: string | null;
  readonly state: 'waiting' | 'published' | 'discarded';
  readonly decidedAt: Date | null;
  /** Event id of the first one that waits for its key; null when none does. */
  readonly head: string | null;
  /** How many wait behind this one. */
  readonly behind: number;
  /** Who decided last about it, and when; null when nobody has. */
  readonly who: string | null;
  readonly askedAt: Date | null;
  /** A retry was asked for that the relay has not come to yet. */
  readonly pending: boolean;
}

/** The entries of these events, in the order in which they wait; an event that was never set aside has none. */
export async function findEntries(db: ClientBase | Pool, eventIds: readonly string[]): Promise<readonly FoundEntry[]> {
  const { rows } = await db.query<FoundEntry>(FIND, [eventIds]);
  return rows;
}

/** Lets nobody else decide about these events, nor the relay change them, before the transaction ends. */
export async function lockEntries(client: ClientBase, eventIds: readonly string[]): Promise<void> {
  await client.query(`SELECT 1 FROM outbox_set_aside WHERE state = 'waiting' AND event_id = ANY ($1::text[]) ORDER BY seq FOR UPDATE`, [
    eventIds,
  ]);
}

// Whether the relay has passed a decision is told as for every row of the outbox: its transaction is visible in the stored snapshot.
const FIND = `
  SELECT * FROM (SELECT DISTINCT ON (w.event_id) w.seq, w.event_id AS "eventId", w.topic, w.key, w.reason, w.state, w.decided_at AS "decidedAt",
    head.event_id AS head, behind.count AS behind, asked.who, asked.created_at AS "askedAt",
    w.state = 'waiting' AND asked.xid IS NOT NULL AND NOT coalesce(pg_visible_in_snapshot(asked.xid, p.snapshot), false)
      AND (w.refused_at IS NULL OR w.refused_at < asked.created_at) AS pending
  FROM outbox_set_aside w
  LEFT JOIN LATERAL (
    SELECT event_id FROM outbox_set_aside WHERE state = 'waiting' AND topic = w.topic AND key = w.key ORDER BY seq LIMIT 1
  ) head ON true
  LEFT JOIN LATERAL (
    SELECT count(*)::int FROM outbox_set_aside WHERE state = 'waiting' AND topic = w.topic AND key = w.key AND seq > w.seq
  ) behind ON true
  LEFT JOIN LATERAL (
    SELECT who, created_at, xid FROM outbox_set_aside_decisions WHERE set_aside_seq = w.seq ORDER BY seq DESC LIMIT 1
  ) asked ON true
  LEFT JOIN relay_progress p ON true
  WHERE w.event_id = ANY ($1::text[])
  ORDER BY w.event_id, w.seq DESC) found ORDER BY found.seq`;
