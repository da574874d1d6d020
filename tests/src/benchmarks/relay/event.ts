import { headerNames, headerText, type ProducerRecord, type RawHeaders, writeHeaders } from '@shopflow/kafka';

/** Different Kafka keys. */
export const KEYS = 5_000;
export const PARTITIONS = 6;
/** Owner and topic of the events. */
export const SOURCE = 'orders';
export const TOPIC = 'orders.events';

const TRACEPARENT = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01';
const CORRELATION = 'req-';
const PAD = 'x'.repeat(100);

/** Inserts event `n`, about 250 bytes of payload: everybody is given the same events. Events of one key have rising numbers. */
export const ADD_EVENT = `
CREATE FUNCTION add_event(n int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (aggregateid, type, version, topic, payload, correlation_id, traceparent)
  VALUES ('ORD-' || n % ${KEYS}, 'order.created', 2, '${TOPIC}',
    jsonb_build_object('orderId', 'ORD-' || n, 'customer', jsonb_build_object('email', 'ada@example.com', 'name', 'Ada'),
      'totalKobo', 1850000, 'currency', 'NGN', 'channel', 'web', 'pad', '${PAD}'),
    '${CORRELATION}' || n, '${TRACEPARENT}')
$$`;

/** A record as it was read. */
export interface ReadEvent {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

/** The number of a published event; NaN when it is none of ours. */
export function numberOf({ headers }: Pick<ReadEvent, 'headers'>): number {
  const id = headerText(headers, headerNames.correlationId);
  return id?.startsWith(CORRELATION) ? Number(id.slice(CORRELATION.length)) : Number.NaN;
}

export const keyOf = (n: number): string => `ORD-${n % KEYS}`;

/** Key, payload and headers are those of event `n`. */
export function isIntact({ key, value, headers }: ReadEvent, n: number): boolean {
  return (
    key?.toString() === keyOf(n) &&
    orderIdOf(value) === `ORD-${n}` &&
    headerText(headers, headerNames.type) === 'order.created' &&
    headerText(headers, headerNames.version) === '2' &&
    headerText(headers, headerNames.subject) === keyOf(n) &&
    headerText(headers, headerNames.traceparent) === TRACEPARENT
  );
}

function orderIdOf(value: Buffer | null): unknown {
  try {
    return (JSON.parse(value?.toString() ?? 'null') as { orderId?: unknown } | null)?.orderId;
  } catch {
    return undefined; // no JSON: the record is malformed, and that is counted
  }
}

/** Event `n` as the relay would publish it, in bytes: what is written then takes nothing but writing. */
export function toRecord(topic: string, n: number): ProducerRecord {
  const bytes = (text: string) => Buffer.from(text);
  const customer = `{"name": "Ada", "email": "ada@example.com"}`;
  return {
    topic,
    key: bytes(keyOf(n)),
    value: bytes(
      `{"pad": "${PAD}", "channel": "web", "orderId": "ORD-${n}", "currency": "NGN", "customer": ${customer}, "totalKobo": 1850000}`,
    ),
    headers: writeHeaders<Buffer>({
      id: bytes(`0193e6a0-0000-7000-8000-${String(n).padStart(12, '0')}`),
      type: bytes('order.created'),
      source: bytes(SOURCE),
      subject: bytes(keyOf(n)),
      time: bytes('2026-10-05T08:00:00.123Z'),
      version: 2,
      correlationId: bytes(`${CORRELATION}${n}`),
      causationId: null,
      organizationId: bytes('shopflow'),
      traceparent: bytes(TRACEPARENT),
      tracestate: null,
    }),
  };
}
