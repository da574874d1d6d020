import { headerNames, type WrittenRecord } from '@shopflow/kafka/producing';

/** What people are told of an event. */
export interface ToldEvent {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly correlationId: string | undefined;
  readonly traceparent: string | undefined;
}

/** Reads it back from the record: rarely, when there are few or when one is refused. */
export function eventOf(record: WrittenRecord): ToldEvent {
  const { key, headers } = record.read();
  return {
    key,
    id: headers.get(headerNames.id) ?? '',
    type: headers.get(headerNames.type) ?? '',
    correlationId: headers.get(headerNames.correlationId),
    traceparent: headers.get(headerNames.traceparent),
  };
}
