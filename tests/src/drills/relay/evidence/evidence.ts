/**
 * - `committed`: the database said so
 * - `rolled back`: it was asked to, or the connection was lost before anybody asked for a commit
 * - `unknown`: the connection was lost while it committed; the table says what became of it
 */
export type Fate = 'committed' | 'rolled back' | 'unknown';

/** One row that was written into an outbox, whatever became of its transaction. */
export interface DrillEvent {
  readonly source: string;
  readonly id: string;
  readonly key: string;
  /** Of those of its key that are committed, the how manieth: from 1. Whoever writes has the key's lock until it commits. */
  readonly place: number;
  fate: Fate;
}

/** A record of a topic. */
export interface PublishedRecord {
  readonly source: string;
  readonly id: string;
  /** Kafka's key, and what the payload says. */
  readonly key: string;
  readonly place: number;
}

export interface TakeOver {
  /** What became of the relay that published before. */
  readonly after: 'crash' | 'stop';
  readonly source: string;
  /** From the signal until Kafka has accepted an event of the other relay. */
  readonly ms: number;
  /** No server was away meanwhile or shortly before, and the other relay had been there for a while. */
  readonly undisturbed: boolean;
}

/** What a drill leaves. */
export interface Evidence {
  readonly events: readonly DrillEvent[];
  /** Ids in the outboxes at the end. */
  readonly stored: ReadonlySet<string>;
  /** Each partition in its order. */
  readonly published: readonly PublishedRecord[];
  /** By source: what the view of the backlog says at the end. */
  readonly waiting: Readonly<Record<string, number>>;
  readonly setAside: readonly string[];
  /** States of a source that ask for a person, each time one was seen. */
  readonly alarms: readonly string[];
  /** Relays that ended and should not have, or not so. */
  readonly oddEnds: readonly string[];
  readonly takeOvers: readonly TakeOver[];
}
