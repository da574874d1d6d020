import type { Database } from '@shopflow/database';
import type { GroupMember, TopicPartition } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import type { Backoff } from './backoff.js';
import type { Breaker } from './breaker/breaker.js';
import type { ChunkResult } from './chunk.js';
import type { StartFinder } from './find-start.js';
import type { Limiter } from './limiter.js';
import type { WaitingStatus } from './partition-failures.js';
import type { DelaysMs } from './retry/tier.js';
import type { Subscriptions } from './subscriptions.js';

/** What the partitions of a group share. */
export interface WorkerParts {
  readonly group: string;
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly member: Pick<GroupMember, 'seek' | 'pause' | 'resume' | 'commit'>;
  readonly starts: StartFinder;
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly logger: Logger;
  readonly clock: () => Date;
  readonly chunkSize: number;
  readonly lanes: number;
  readonly timeLimitMs: number;
  readonly delaysMs: DelaysMs;
  readonly backoff: Backoff;
  /** Resolves when the group may work; also when the signal is aborted. */
  readonly untilAllowed: (signal: AbortSignal) => Promise<void>;
  readonly onCommitted: (partition: TopicPartition, result: ChunkResult) => void;
}

/** What a partition is doing, for people. */
export interface PartitionStatus extends TopicPartition {
  /** Everything before this offset is done. */
  readonly position: number;
  /** Records fetched and not done. */
  readonly queued: number;
  /** Records not done, as far as the broker has said. */
  readonly lag: number;
  /** Age of the first record that is not done, in milliseconds by its own timestamp; null when it has not been fetched. */
  readonly lagMs: number | null;
  readonly waiting?: WaitingStatus;
}
