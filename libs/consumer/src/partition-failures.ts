import type { TopicPartition } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { type Backoff, backoffMs } from './backoff.js';
import type { FailureHistory, WaitingEvent } from './chunk.js';
import { classifyFailure, reasonOf } from './failure.js';
import { fieldsOf } from './log-result.js';

/** Why a partition does not go on, for people. */
export interface WaitingStatus {
  readonly eventId?: string;
  readonly attempts: number;
  readonly reason: string;
  readonly nextTryAt: Date;
}

/** Contention is tried again at once so many times; after that something holds its lock for longer. */
const IMMEDIATE_RETRIES = 5;
/** From this attempt on a waiting event is an error that somebody should look at. */
const LOUD_ATTEMPTS = 4;

/** What goes wrong in one partition: how often, for how long it pauses, and what is said about it. */
export class PartitionFailures {
  private outages = 0;
  private contentions = 0;
  private event: (FailureHistory & { key: string }) | undefined;
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

  failedBefore(key: string): FailureHistory | undefined {
    return this.event?.key === key ? this.event : undefined;
  }

  /** A transaction has committed: nothing stands against the partition but, perhaps, one event. */
  committed(waiting: WaitingEvent | undefined): void {
    this.outages = 0;
    this.contentions = 0;
    this.now = undefined;
    if (waiting?.key !== this.event?.key) this.event = undefined;
  }

  /** @returns for how long to wait, in milliseconds */
  eventFailed(waiting: WaitingEvent): number {
    const before = this.failedBefore(waiting.key);
    const attempts = (before?.attempts ?? 0) + 1;
    this.event = { key: waiting.key, attempts, firstFailedAt: before?.firstFailedAt ?? this.clock() };
    const pause = this.pause(attempts, reasonOf(waiting.error), waiting.eventId);
    const level = attempts < LOUD_ATTEMPTS ? 'warn' : 'error';
    const what = classifyFailure(waiting.error) === 'not readable yet' ? 'cannot be read yet' : 'failed';
    const fields = { ...this.partition, ...fieldsOf(waiting), attempts, nextTryInMs: pause, err: waiting.error };
    this.logger[level](fields, `${waiting.type ?? 'a record'} ${what}, its partition waits: ${reasonOf(waiting.error)}`);
    return pause;
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

  private pause(failures: number, reason: string, eventId?: string): number {
    const pause = backoffMs(this.backoff, failures);
    const nextTryAt = new Date(this.clock().getTime() + pause);
    this.now = { attempts: failures, reason, nextTryAt, ...(eventId !== undefined && { eventId }) };
    return pause;
  }
}
