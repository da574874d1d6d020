import { EventRow } from '../publishing/event-row.js';
import type { OutboxRow } from '../publishing/outbox-row.js';

const USUAL: OutboxRow = {
  id: 'evt-ORD-1001',
  aggregateid: 'ORD-1001',
  type: 'order.created',
  version: '3',
  topic: 'orders.events',
  payload: '{"a": 1}',
  organization_id: 'shopflow',
  correlation_id: null,
  causation_id: null,
  traceparent: null,
  tracestate: null,
  created_at: '2026-01-31 12:00:00.5+00',
};

/** All columns of an event, those that are given among them. */
export const outboxRow = (columns: Partial<OutboxRow> = {}): OutboxRow => ({ ...USUAL, ...columns });

/** An event with these columns, as if it had come out of the log. */
export const eventRow = (columns: Partial<OutboxRow> = {}): EventRow => EventRow.fromColumns(outboxRow(columns));
