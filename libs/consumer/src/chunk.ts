import type { EventEnvelope } from '@shopflow/contracts';
import type { ConsumedRecord, TopicPartition } from '@shopflow/kafka';
import type { EventLabel } from './event-item.js';

/** Consecutive records of one partition that are done in one transaction. */
export interface Chunk extends TopicPartition {
  readonly records: readonly ConsumedRecord[];
  /** Where the partition stands before it. */
  readonly from: number;
  /** Where it stands behind it. */
  readonly to: number;
}

/** How often an event has failed so far. */
export interface FailureHistory {
  readonly attempts: number;
  readonly firstFailedAt: Date;
}

/** An event that must be done before anything behind it, and cannot be done now. */
export interface WaitingEvent extends EventLabel {
  /** Its `identityKey`. */
  readonly key: string;
  readonly error: unknown;
}

/** An event that became a dead letter. */
export interface BuriedEvent extends EventLabel {
  readonly attempts: number;
  readonly reason: string;
}

/** What a chunk has committed. */
export interface ChunkResult {
  /** Where the partition stands now: the end of the chunk, or the event that waits. */
  readonly to: number;
  readonly handled: readonly EventEnvelope[];
  readonly buried: readonly BuriedEvent[];
  readonly duplicates: number;
  /** Types of the records that nobody subscribes to. */
  readonly skipped: readonly string[];
  readonly waiting?: WaitingEvent;
}
