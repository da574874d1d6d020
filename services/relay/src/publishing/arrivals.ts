import type { EventRow } from './event-row.js';

export interface Replay {
  readonly kind: 'replay';
  readonly eventId: string;
  readonly who: string;
  readonly why: string;
  /** Transaction that asked for it. */
  readonly xid: string;
}

/** Somebody has decided about what waits for a key. */
export interface Decision {
  readonly kind: 'decision';
  /** Logical topic. */
  readonly topic: string;
  readonly key: string;
}

/** Everything before `lsn` has been passed on. */
export interface Position {
  readonly kind: 'position';
  readonly lsn: bigint;
}

/** What was committed before `lsn`, as `pg_current_snapshot()` says it. */
export interface Snapshot {
  readonly kind: 'snapshot';
  readonly lsn: bigint;
  readonly snapshot: string;
}

/** What an outbox's stream brings, in its order. Positions and snapshots hold once everything before them is accepted. */
export type Arrival = EventRow | Replay | Decision | Position | Snapshot;
