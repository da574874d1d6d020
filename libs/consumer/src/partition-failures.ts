import type { TopicPartition } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { type Backoff, backoffMs } from './backoff.js';
import { reasonOf } from './failure.js';

/** Why a partition does not go on, for people. */
export interface WaitingStatus {
  readonly attempts: number;
  readonly reason: string;
  readonly nextTryAt: Date;
}

/** Contention is tried again at once so many times; after that something holds its lock for longer. */
const IMMEDIATE_RETRIES = 5;

/** What keeps a partition from going on: how often, for how long it pauses, and what is said about it. */
export class PartitionFailures {
  private outages = 0;
  private contentions = 0;
  private now: WaitingStatus | undefined;

  constructor(
    private readonly partition: TopicPartition,
    private readonly logger: Logger,
    private readonly backoff: Backoff,
    private readonly clock: () => Date,
  ) {}

  get waiting(): WaitingStatus | undefined {
    return this.now;
  }

  /** A transaction has committed: nothing stands against the partition. */
  committed(): void {
    this.outages = 0;
    this.contentions = 0;
    this.now = undefined;
  }

  /** @returns for how long to wait, in milliseconds */
  outage(error: unknown): number {
    this.outages += 1;
    const pause = this.pause(this.outages, reasonOf(error));
    const fields = { ...this.partition, attempts: this.outages, nextTryInMs: pause, err: error };
    this.logger.error(fields, `nothing can be done now, no event is charged: ${reasonOf(error)}`);
    return pause;
  }

  /** @returns for how long to wait, in milliseconds: at first not at all */
  contention(error: unknown): number {
    this.contentions += 1;
    const late = this.contentions - IMMEDIATE_RETRIES;
    this.logger.warn(
      { ...this.partition, attempts: this.contentions, err: error },
      `in the way of another transaction, again: ${reasonOf(error)}`,
    );
    return late > 0 ? this.pause(late, reasonOf(error)) : 0;
  }

  private pause(failures: number, reason: string): number {
    const pause = backoffMs(this.backoff, failures);
    this.now = { attempts: failures, reason, nextTryAt: new Date(this.clock().getTime() + pause) };
    return pause;
  }
}
