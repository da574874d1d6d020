import { type ConsumedRecord, headerNames, headerText } from '@shopflow/kafka';

/** Ids and sources longer than this, in bytes, are refused: they are part of index keys. */
const MAX_ID_BYTES = 200;

/** What a group has taken charge of, or not: (source, id). */
export interface EventIdentity {
  readonly source: string;
  readonly eventId: string;
  /** Why the record's own identity cannot be used; undefined when it can. */
  readonly fault?: string;
}

/** An event by its place: for a record that has no usable id. The time tells a recreated topic from the one before. */
export const placeOf = ({ topic, partition, offset, timestamp }: ConsumedRecord): string => `${topic}/${partition}/${offset}/${timestamp}`;

/** @param owner the source of events that do not say where they come from */
export function identifyEvent(record: ConsumedRecord, owner: string): EventIdentity {
  const source = headerText(record.headers, headerNames.source) || owner;
  const eventId = headerText(record.headers, headerNames.id) || placeOf(record);
  const fault = faultOf(headerNames.id, eventId) ?? faultOf(headerNames.source, source);
  return fault === undefined ? { source, eventId } : { source: owner, eventId: placeOf(record), fault };
}

function faultOf(name: string, value: string): string | undefined {
  if (value.includes('\u0000')) return `${name} contains NUL`;
  // One UTF-16 unit takes three bytes at most, so short values need no counting.
  if (value.length * 3 > MAX_ID_BYTES && Buffer.byteLength(value) > MAX_ID_BYTES) return `${name} is longer than ${MAX_ID_BYTES} bytes`;
  return undefined;
}

/** The identity as one string, for sets and maps; sorts the same way in every process. */
export const identityKey = ({ source, eventId }: { source: string; eventId: string }): string => `${source}\u0000${eventId}`;
