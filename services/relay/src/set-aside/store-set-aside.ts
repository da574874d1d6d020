import type { Pool } from 'pg';
import { boundReason } from './bound-reason.js';

export interface SetAsideEntry {
  readonly eventId: string;
  /** Logical topic. */
  readonly topic: string;
  readonly key: string;
  /** Why Kafka refused it; null when it only waits behind one of its key. */
  readonly reason: string | null;
}

/**
 * Sets events aside, in the order given, in one transaction. The stream may bring one again that waits already: it keeps its place,
 * and when it is refused now it gets the reason. To be called before the position of any of them is acknowledged.
 */
export async function storeSetAside(pool: Pool, entries: readonly SetAsideEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await pool.query(STORE, [
    entries.map(({ eventId }) => eventId),
    entries.map(({ topic }) => topic),
    entries.map(({ key }) => key),
    entries.map(({ reason }) => (reason === null ? null : boundReason(reason))),
  ]);
}

// An event can be among the entries twice, as itself and as a replay that was asked for: grouped, for one statement may not touch a row twice.
const STORE = `
  INSERT INTO outbox_set_aside (event_id, topic, key, reason, refused_at)
  SELECT event_id, min(topic), min(key), max(reason), CASE WHEN max(reason) IS NOT NULL THEN clock_timestamp() END
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS given (event_id, topic, key, reason, place)
  GROUP BY event_id ORDER BY min(place)
  ON CONFLICT (event_id) WHERE state = 'waiting' DO UPDATE SET reason = EXCLUDED.reason, refused_at = EXCLUDED.refused_at
  WHERE EXCLUDED.reason IS NOT NULL`;
