import { physicalTopic, type ProducerRecord, writeHeaders } from '@shopflow/kafka';
import type { OutboxRow, Text } from './outbox-row.js';

/** What the rows of one source have in common on the wire. */
export interface Origin {
  readonly namespace: string;
  /** The service that owns the outbox: `orders`. */
  readonly source: string;
}

/** Turns a row into the record that goes to Kafka. The payload's bytes are not touched. */
export function toRecord(row: OutboxRow, { namespace, source }: Origin): ProducerRecord {
  return {
    topic: physicalTopic(namespace, text(row.topic)),
    key: row.aggregateid,
    value: row.payload,
    headers: writeHeaders<Text>({
      id: row.id,
      type: row.type,
      source,
      subject: row.aggregateid,
      time: toIsoTime(text(row.created_at)),
      version: Number(text(row.version)),
      correlationId: row.correlation_id,
      causationId: row.causation_id,
      organizationId: row.organization_id,
      traceparent: row.traceparent,
      tracestate: row.tracestate,
    }),
  };
}

/** What the row takes in memory, roughly, in bytes. */
export const bytesOf = (row: OutboxRow): number => row.payload.length + ROW_OVERHEAD;
const ROW_OVERHEAD = 400;

const text = (value: Text): string => (typeof value === 'string' ? value : value.toString('latin1'));

const POSTGRES_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\d*\+00$/;

/** `2026-01-31 12:00:00.5+00`, as PostgreSQL prints UTC, to `2026-01-31T12:00:00.500Z`. */
export function toIsoTime(postgres: string): string {
  const [, date, time, fraction = ''] = POSTGRES_TIME.exec(postgres) ?? [];
  if (date === undefined) throw new Error(`the outbox has a time that is not UTC in ISO format: ${postgres}`);
  return `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
}
