import type { EventContract, PayloadOf } from './contract.js';

/** An event as its handlers see it: the payload in its latest version, and what travels beside it in the headers. */
export interface EventEnvelope<Payload = unknown, Type extends string = string> {
  /** Unique within `source`, stable over every redelivery. */
  readonly id: string;
  readonly type: Type;
  /** The version that the producer wrote, before any upcasting. */
  readonly version: number;
  /** The service that owns the event, e.g. `orders`. */
  readonly source: string;
  /** The Kafka key: the order id. */
  readonly subject: string;
  /** When it happened, by the producer's database. */
  readonly time: Date;
  readonly correlationId: string | null;
  /** Id of the event that caused this one. */
  readonly causationId: string | null;
  readonly organizationId: string;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  readonly payload: Payload;
}

/** The event type that a handler of contract `C` receives. */
export type EventOf<C extends EventContract> = EventEnvelope<PayloadOf<C>, C['type']>;

/** Where there is no other organization. */
export const DEFAULT_ORGANIZATION = 'shopflow';
