import type { EventEnvelope } from '@shopflow/contracts';
import type { ConsumedRecord, TopicPartition } from '@shopflow/kafka';
import type { EventLabel } from './event-item.js';
import type { Standing } from './held/held-event.js';
import type { WakeUp } from './retry/wake-up.js';

/** Consecutive records of one partition that are done together. */
export interface Chunk extends TopicPartition {
  readonly records: readonly ConsumedRecord[];
  /** Where the partition stands before it. */
  readonly from: number;
  /** Where it stands behind it. */
  readonly to: number;
}

/** An event that failed and waits for its next try. */
export interface HeldNotice extends EventLabel {
  readonly standing: Standing;
}

/** An event that became a dead letter. */
export interface BuriedEvent extends EventLabel {
  readonly attempts: number;
  readonly reason: string;
}

/** What a transaction has committed. */
export interface WorkResult {
  readonly handled: readonly EventEnvelope[];
  readonly buried: readonly BuriedEvent[];
  readonly held: readonly HeldNotice[];
  readonly wakeUps: readonly WakeUp[];
}

/** What a chunk has committed. */
export interface ChunkResult extends WorkResult {
  /** Where the partition stands now: the end of the chunk, or the event that waits for a breaker. */
  readonly to: number;
  /** Events that wait behind an earlier one of their key. */
  readonly followers: number;
  readonly duplicates: number;
  /** Types of the records that nobody subscribes to. */
  readonly skipped: readonly string[];
  /** The handler whose breaker is open, for the event at `to`. */
  readonly waitsFor?: string;
}
