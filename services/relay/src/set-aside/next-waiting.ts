import type { Pool } from 'pg';
import { SELECT_OUTBOX } from '../publishing/find-replayed.js';
import { OUTBOX_COLUMNS, type OutboxRow } from '../publishing/outbox-row.js';
import { asText } from './aside-key.js';

export interface WaitingEntry {
  /** Names the entry; a bigint as text. */
  readonly seq: string;
  readonly eventId: string;
  /** Why Kafka refused it last; null when it only waits behind one of its key. */
  readonly reason: string | null;
  /**
   * The event, every column as text. Null: the outbox no longer has it. `not visible yet`: its transaction came out of the log before
   * other sessions can see it; nothing follows it on the page, ask again a little later.
   */
  readonly row: OutboxRow | null | 'not visible yet';
}

/** What Kafka takes of one key in one send. */
const PAGE_BYTES = 512 * 1024;

/**
 * The first events that wait for a key, in their order.
 *
 * @param limit entries at most
 * @param maxBytes payload at most, in bytes; the first entry comes whatever its size
 */
export async function nextWaiting(
  pool: Pool,
  topic: string,
  key: string,
  limit: number,
  maxBytes = PAGE_BYTES,
): Promise<readonly WaitingEntry[]> {
  const { rows } = await pool.query<Found>({ text: NEXT_WAITING, values: [topic, key, limit, maxBytes], types: asText });
  const entries = rows.map(toEntry);
  const early = entries.findIndex(({ row }) => row === 'not visible yet');
  return early === -1 ? entries : entries.slice(0, early + 1);
}

type Found = OutboxRow & { entry: string; event_id: string; reason: string | null; gone: 't' | 'f'; id: string | null };

function toEntry(found: Found): WaitingEntry {
  const { entry: seq, event_id: eventId, reason, gone } = found;
  if (found.id === null) return { seq, eventId, reason, row: gone === 't' ? null : 'not visible yet' };
  const row = Object.fromEntries(OUTBOX_COLUMNS.map((column) => [column, found[column]])) as unknown as OutboxRow;
  return { seq, eventId, reason, row };
}

const WAITING = `
  SELECT seq AS entry, event_id, reason, xid, set_aside_at FROM outbox_set_aside WHERE state = 'waiting' AND topic = $1 AND key = $2`;
const ROW = `LEFT JOIN LATERAL (SELECT ${SELECT_OUTBOX} FROM outbox WHERE outbox.id = w.event_id) o ON true`;
const BYTES = `coalesce(octet_length(o.payload), 0)`;
// The entry was written after its event's transaction took its number; what lies beyond the snapshot is of another cluster, a restored copy.
// A long transaction of any database keeps the snapshot's xmin back: after a while a missing row counts as gone all the same.
const SNAPSHOT = 'pg_current_snapshot()';
const LONG_AGO = `w.set_aside_at < clock_timestamp() - interval '30 seconds'`;
const GONE = `(w.xid < pg_snapshot_xmin(${SNAPSHOT}) OR w.xid >= pg_snapshot_xmax(${SNAPSHOT}) OR ${LONG_AGO})`;

// Row by row, so that no more is read than the page holds: a payload's size is only known once it is unpacked.
const NEXT_WAITING = `
  WITH RECURSIVE page AS (
    (SELECT w.entry, w.event_id, w.reason, ${GONE} AS gone, o.*, 1 AS place, ${BYTES} AS bytes
     FROM (${WAITING} ORDER BY seq LIMIT 1) w ${ROW} WHERE $3 > 0)
    UNION ALL
    SELECT w.entry, w.event_id, w.reason, ${GONE}, o.*, page.place + 1, page.bytes + ${BYTES}
    FROM page CROSS JOIN LATERAL (${WAITING} AND seq > page.entry ORDER BY seq LIMIT 1) w ${ROW}
    WHERE page.place < $3 AND page.bytes + ${BYTES} <= $4
  )
  SELECT * FROM page ORDER BY place`;
