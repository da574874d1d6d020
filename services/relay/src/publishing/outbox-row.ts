/** Text from the database: bytes from the write-ahead log, which are passed on as they are, or a string from a query. */
export type Text = Buffer | string;

/** A row of the outbox, as far as the relay needs it. */
export interface OutboxRow {
  readonly id: Text;
  readonly aggregateid: Text;
  readonly type: Text;
  readonly version: Text;
  readonly topic: Text;
  /** JSON. */
  readonly payload: Text;
  readonly organization_id: Text;
  readonly correlation_id: Text | null;
  readonly causation_id: Text | null;
  readonly traceparent: Text | null;
  readonly tracestate: Text | null;
  /** `2026-01-31 12:00:00.5+00` */
  readonly created_at: Text;
}

export const OUTBOX_COLUMNS: readonly (keyof OutboxRow)[] = [
  'id',
  'aggregateid',
  'type',
  'version',
  'topic',
  'payload',
  'organization_id',
  'correlation_id',
  'causation_id',
  'traceparent',
  'tracestate',
  'created_at',
];
