import { type ConsumedRecord, headerNames, headerText } from '@shopflow/kafka';
import { textFault } from './text-fault.js';

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
  const fault = textFault(headerNames.id, eventId) ?? sourceFault(source, owner);
  return fault === undefined ? { source: owner, eventId } : { source: owner, eventId: placeOf(record), fault };
}

/** Ids are unique within a source, and effects outside are keyed by the id alone. */
function sourceFault(source: string, owner: string): string | undefined {
  if (source === owner) return undefined;
  return textFault(headerNames.source, source) ?? `${headerNames.source} is ${source}, and only ${owner} publishes to this topic`;
}

/** The identity as one string, for sets and maps; sorts the same way in every process. */
export const identityKey = ({ source, eventId }: { source: string; eventId: string }): string => `${source}\u0000${eventId}`;
