import { REPLAY_LIMIT_DAYS } from '@shopflow/outbox';
import type { QueryResultRow } from 'pg';
import { OUTBOX_COLUMNS, type OutboxRow } from './outbox-row.js';

/** Runs a query whose values all come as text. */
export type TextQuery = <Row extends QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

export const SELECT_OUTBOX = OUTBOX_COLUMNS.map((column) => (column === 'payload' ? 'payload::text' : column)).join(', ');

export type Replayed = { readonly row: OutboxRow } | { readonly refused: string } | 'not visible yet';

/**
 * Looks the event of a replay up. The request may come out of the write-ahead log before its transaction is visible to
 * other sessions; an event of the same transaction is not missing then, only early. Visibility is asked for first: were it
 * asked for after the event, the transaction could become visible in between, and its event would seem to be gone.
 */
export async function findReplayed(query: TextQuery, eventId: string, xid: string): Promise<Replayed> {
  const visible = await isVisible(query, xid);
  const [found] = await query<OutboxRow & { age_days: string }>(
    `SELECT ${SELECT_OUTBOX}, extract(epoch FROM clock_timestamp() - created_at) / 86400 AS age_days FROM outbox WHERE id = $1`,
    [eventId],
  );
  if (found === undefined) return visible ? { refused: 'the outbox no longer has it' } : 'not visible yet';
  if (Number(found.age_days) > REPLAY_LIMIT_DAYS)
    return { refused: `it is older than ${REPLAY_LIMIT_DAYS} days, consumers may forget it before this copy is gone` };
  return { row: found };
}

async function isVisible(query: TextQuery, xid: string): Promise<boolean> {
  const [row] = await query<{ visible: string }>('SELECT pg_visible_in_snapshot($1::xid8, pg_current_snapshot()) AS visible', [xid]);
  return row?.visible === 't';
}
