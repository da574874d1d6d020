import type { ConsumedRecord } from '@shopflow/kafka';

/** Which letter: what died of an event, in one group. */
export interface DeadLetterKey {
  /** The group. */
  readonly consumer: string;
  readonly source: string;
  readonly eventId: string;
  /** Empty, or left out, for the event itself; else the part of its work that died, e.g. `delivery`. */
  readonly subject?: string;
}

/**
 * - `undecodable`: the record is no event
 * - `contract`: the payload is not what its contract says
 * - `permanent`: a handler, or the world outside, said that trying again is of no use
 * - `exhausted`: every attempt failed
 * - `crashed`: its attempts ended with the process
 */
export type DeathKind = 'undecodable' | 'contract' | 'permanent' | 'exhausted' | 'crashed';

export type DeadLetterState = 'open' | 'replayed' | 'discarded';

/** What is known when something dies. */
export interface Death extends DeadLetterKey {
  readonly type: string | null;
  /** As the producer wrote it. */
  readonly version: number | null;
  readonly orderId: string | null;
  readonly correlationId: string | null;
  /** The record as it lay in Kafka, byte for byte. */
  readonly record: ConsumedRecord;
  readonly attempts: number;
  readonly errorKind: DeathKind;
  /** For people; 1 KB at most is kept. */
  readonly reason: string;
  /** What letters of one cause have in common, see `causeOf`; the reason unless given. */
  readonly cause?: string;
  readonly firstFailedAt: Date;
  readonly lastFailedAt: Date;
}

export interface DeadLetter extends Death {
  readonly subject: string;
  readonly cause: string;
  readonly state: DeadLetterState;
  /** Grows with every new letter of the database. */
  readonly seq: number;
  /** When its record was written to the DLQ topic. */
  readonly publishedAt: Date | null;
}
