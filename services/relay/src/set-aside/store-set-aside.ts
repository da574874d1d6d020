import type { Pool } from 'pg';
import { boundReason } from './bound-reason.js';

export interface SetAsideEntry {
  readonly eventId: string;
  /** Logical topic. */
  readonly topic: string;
  readonly key: string;
  /** Why Kafka refused it; null when it only waits behind one of its key. */
  readonly reason: string | null;
  /** It is published again because somebody asked for it, also if it was discarded once. */
  readonly evenIfDiscarded?: boolean;
}

/** Who reads the log: only it may set events aside. */
export interface SlotHolder {
  readonly slot: string;
  /** Server process of the stream. */
  readonly pid: number;
}

/** Another relay has the slot by now: what this one found is found again there. */
export class SlotLostError extends Error {
  constructor({ slot }: SlotHolder) {
    super(`this relay does not have slot ${slot} any more`);
    this.name = 'SlotLostError';
  }
}

/**
 * Sets events aside, in the order given, in one transaction. The stream may bring one again that waits already: it keeps its place,
 * and when it is refused now it gets the reason; one that was discarded meanwhile stays so. To be called before the position of any
 * of them is acknowledged.
 *
 * @param holder left out where there is no other relay
 * @throws SlotLostError
 */
export async function storeSetAside(pool: Pool, entries: readonly SetAsideEntry[], holder?: SlotHolder): Promise<void> {
  if (entries.length === 0) return;
  const { rows } = await pool.query<{ held: boolean }>(STORE, [
    entries.map(({ eventId }) => eventId),
    entries.map(({ topic }) => topic),
    entries.map(({ key }) => key),
    entries.map(({ reason }) => (reason === null ? null : boundReason(reason))),
    entries.map(({ evenIfDiscarded }) => evenIfDiscarded === true),
    holder?.slot,
    holder?.pid,
  ]);
  if (holder !== undefined && !rows[0]!.held) throw new SlotLostError(holder);
}

// An event can be among the entries twice, as itself and as a replay that was asked for: grouped, for one statement may not touch a row twice.
const STORE = `
  WITH holder AS MATERIALIZED (
    SELECT $6::text IS NULL OR EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $6 AND active_pid = $7::int) AS held
  ), given AS (
    SELECT event_id, min(topic) AS topic, min(key) AS key, max(reason) AS reason, bool_or(wanted) AS wanted, min(place) AS place
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[]) WITH ORDINALITY AS each (event_id, topic, key, reason, wanted, place)
    GROUP BY event_id
  ), stored AS (
    INSERT INTO outbox_set_aside (event_id, topic, key, reason, refused_at)
    SELECT event_id, topic, key, reason, CASE WHEN reason IS NOT NULL THEN clock_timestamp() END
    FROM given CROSS JOIN holder
    WHERE held AND (wanted OR NOT EXISTS (SELECT FROM outbox_set_aside a WHERE a.event_id = given.event_id AND a.state = 'discarded'))
    ORDER BY place
    ON CONFLICT (event_id) WHERE state = 'waiting' DO UPDATE SET reason = EXCLUDED.reason, refused_at = EXCLUDED.refused_at
    WHERE EXCLUDED.reason IS NOT NULL
  )
  SELECT held FROM holder`;
