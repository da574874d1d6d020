import type { EventEnvelope } from '@shopflow/contracts';
import { type ConsumedRecord, headerNames, headerText } from '@shopflow/kafka';
import { decodeEvent } from './decode-event.js';
import { UndecodableError } from './failure.js';
import { type EventIdentity, identifyEvent } from './identify-event.js';
import type { Subscriber, Subscriptions } from './subscriptions.js';

/** A record that concerns the group. */
export interface Candidate {
  readonly record: ConsumedRecord;
  readonly identity: EventIdentity;
  /** Undefined for a record that does not say what it is. */
  readonly subscriber: Subscriber | undefined;
}

/** A candidate that is new to the group and can be handled. */
export interface EventItem extends Candidate {
  readonly subscriber: Subscriber;
  readonly event: EventEnvelope;
}

/** A candidate that is new to the group and cannot be handled. */
export interface UnreadableItem extends Candidate {
  readonly error: unknown;
}

/** A record that nobody in the group subscribes to. */
export interface SkippedRecord {
  readonly type: string;
  readonly offset: number;
}

export interface SortedRecords {
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly SkippedRecord[];
}

/** What people need to find an event. Read from the headers, since the rest of the record may be what is wrong with it. */
export interface EventLabel {
  readonly eventId: string;
  readonly type: string | null;
  readonly orderId: string | null;
  readonly correlationId: string | null;
}

/** Picks out the records that concern the group, by their headers alone. */
export function sortRecords(records: readonly ConsumedRecord[], subscriptions: Subscriptions): SortedRecords {
  const candidates: Candidate[] = [];
  const skipped: SkippedRecord[] = [];
  let topic: string | undefined;
  let owner = '';
  for (const record of records) {
    if (record.topic !== topic) {
      topic = record.topic;
      owner = subscriptions.ownerOf(topic);
    }
    const type = headerText(record.headers, headerNames.type);
    const subscriber = type === undefined ? undefined : subscriptions.find(record.topic, type);
    if (type !== undefined && subscriber === undefined) skipped.push({ type, offset: record.offset });
    else candidates.push({ record, subscriber, identity: identifyEvent(record, owner) });
  }
  return { candidates, skipped };
}

/** Decodes what was claimed. Never throws: what cannot be read is an {@link UnreadableItem}. */
export function readItem({ record, identity, subscriber }: Candidate): EventItem | UnreadableItem {
  try {
    if (subscriber === undefined) throw new UndecodableError(`a record without ${headerNames.type}`);
    if (identity.fault !== undefined) throw new UndecodableError(`${subscriber.contract.type}: ${identity.fault}`);
    return { record, identity, subscriber, event: decodeEvent(record, identity, subscriber.contract) };
  } catch (error) {
    return { record, identity, subscriber, error };
  }
}

/** `AuditConsumer.onOrderCreated`, or what stands for it where nobody handles the record. */
export const handlerOf = ({ subscriber }: Candidate): string => subscriber?.subscription.handler ?? 'decoding';

export const isReadable = (item: EventItem | UnreadableItem): item is EventItem => 'event' in item;

export function labelOf({ record, identity }: Candidate): EventLabel {
  return {
    eventId: identity.eventId,
    type: headerText(record.headers, headerNames.type) ?? null,
    orderId: headerText(record.headers, headerNames.subject) ?? record.key?.toString() ?? null,
    correlationId: headerText(record.headers, headerNames.correlationId) ?? null,
  };
}

/** Splits at every change of the subscription: a batch handler gets each run at once. */
export function runsOf(items: readonly EventItem[]): EventItem[][] {
  const runs: EventItem[][] = [];
  let from = 0;
  for (let at = 1; at <= items.length; at++) {
    if (items[at]?.subscriber.subscription === items[from]!.subscriber.subscription) continue;
    runs.push(items.slice(from, at));
    from = at;
  }
  return runs;
}
