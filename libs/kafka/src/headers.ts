// CloudEvents 1.0, Kafka protocol binding, binary mode. One place that knows the names on the wire.

/** One header's value: Kafka allows null. */
export type RawHeaderValue = Buffer | string | null;

/** Header values as both Kafka clients hand them over; an array for a header that is there more than once. */
export type RawHeaders = Readonly<Record<string, RawHeaderValue | RawHeaderValue[] | undefined>>;

/** What travels beside the payload. Times are ISO 8601 in UTC. A relay passes bytes on as it got them: then `Text` is Buffer. */
export interface EventHeaders<Text extends string | Buffer = string> {
  readonly id: Text;
  readonly type: Text;
  readonly source: Text;
  readonly subject: Text;
  readonly time: Text;
  readonly version: number;
  readonly correlationId: Text | null;
  readonly causationId: Text | null;
  readonly organizationId: Text;
  readonly traceparent: Text | null;
  readonly tracestate: Text | null;
}

export const headerNames = {
  specversion: 'ce_specversion',
  id: 'ce_id',
  type: 'ce_type',
  source: 'ce_source',
  subject: 'ce_subject',
  time: 'ce_time',
  version: 'ce_dataversion',
  correlationId: 'ce_correlationid',
  causationId: 'ce_causationid',
  organizationId: 'ce_organizationid',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  contentType: 'content-type',
} as const;

/** The headers of a published event; a value that is not known has no header. */
export function writeHeaders<Text extends string | Buffer = string>(event: EventHeaders<Text>): Record<string, Text | string> {
  const headers: Record<string, Text | string> = {
    [headerNames.specversion]: '1.0',
    [headerNames.id]: event.id,
    [headerNames.type]: event.type,
    [headerNames.source]: event.source,
    [headerNames.subject]: event.subject,
    [headerNames.time]: event.time,
    [headerNames.contentType]: 'application/json',
    [headerNames.version]: String(event.version),
    [headerNames.organizationId]: event.organizationId,
  };
  if (event.correlationId !== null) headers[headerNames.correlationId] = event.correlationId;
  if (event.causationId !== null) headers[headerNames.causationId] = event.causationId;
  if (event.traceparent !== null) headers[headerNames.traceparent] = event.traceparent;
  if (event.tracestate !== null) headers[headerNames.tracestate] = event.tracestate;
  return headers;
}

/** One header as text; of a repeated header the last value. Undefined when it is not there, or null. */
export function headerText(headers: RawHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name];
  if (typeof value === 'string') return value;
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last?.toString();
}
