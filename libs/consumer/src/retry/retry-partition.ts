import { type GroupMember, type PartitionBatch, type TopicPartition, waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { type Backoff, backoffMs } from '../backoff.js';
import { concernsEvent, reasonOf } from '../failure.js';
import { type DamagedRecord, type DueKey, readRetryRecord } from './retry-record.js';
import type { RetryStats } from './retry-stats.js';
import type { Advance, UntilAllowed } from './wake-up.js';

/** What the partitions of a group's retry topics share. */
export interface RetryParts {
  readonly member: Pick<GroupMember, 'pause' | 'resume' | 'commit'>;
  readonly advance: Advance;
  readonly untilAllowed: UntilAllowed;
  readonly backoff: Backoff;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly stats: RetryStats;
}

/** All that is kept of a record while it waits. */
type Entry = (DueKey | DamagedRecord) & { readonly offset: number };

/** How far the clocks of two members may be apart before a wake-up looks as if it came from nowhere. */
const CLOCK_SKEW_MS = 60_000;
/** The clock is looked at so often, for it may be set while a record waits. */
const LONGEST_WAIT_MS = 1_000;

/** Follows the wake-ups of one partition in order, each at its due time, from the partition's assignment until it is stopped. */
export class RetryPartition {
  private readonly stopping = new AbortController();
  private busy = false;
  private unfollowed = 0;
  /** Resolves when nothing of it runs any more. */
  done: Promise<void>;

  /**
   * @param delayMs of the tier: nothing here is due later than that
   * @param before the end of the work that an earlier assignment left here
   */
  constructor(
    private readonly partition: TopicPartition,
    private readonly parts: RetryParts,
    private readonly delayMs: number,
    before: Promise<void> = Promise.resolve(),
  ) {
    this.done = before;
    parts.member.resume(partition);
  }

  /** Records fetched whose time has not come, or whose turn. */
  get waiting(): number {
    return this.stopped ? 0 : this.unfollowed;
  }

  /** Takes what was fetched, and nothing more until that is done; false when it is not wanted now. */
  receive({ records }: PartitionBatch): boolean {
    if (this.busy || this.stopped) return false;
    this.busy = true;
    this.unfollowed = records.length;
    this.parts.member.pause(this.partition);
    const entries = records.map((record): Entry => ({ ...readRetryRecord(record), offset: record.offset }));
    this.done = this.done.then(() => this.follow(entries));
    return true;
  }

  /** Ends a wait at once and begins nothing more. What is not committed comes again, here or at another member. */
  stop(): void {
    this.stopping.abort();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async follow(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      if ('fault' in entry) this.skip(entry, `it is damaged: ${entry.fault}`);
      else await this.wake(entry);
      if (this.stopped) return;
      this.unfollowed -= 1;
      this.parts.member.commit({ ...this.partition, offset: entry.offset + 1 });
    }
    this.busy = false;
    this.parts.member.resume(this.partition);
  }

  private async wake(entry: DueKey & Entry): Promise<void> {
    if (this.msUntil(entry) > this.delayMs + CLOCK_SKEW_MS) {
      return this.skip(entry, `it is due at ${entry.dueAt.toISOString()}, later than anything here can be`);
    }
    await this.untilDue(entry);
    for (let failures = 1; !this.stopped; failures++) {
      if (await this.tryOnce(entry, failures)) return;
      await waitOrAbort(backoffMs(this.parts.backoff, failures), this.stopping.signal);
    }
  }

  private async untilDue(entry: DueKey): Promise<void> {
    for (let ms = this.msUntil(entry); ms > 0 && !this.stopped; ms = this.msUntil(entry)) {
      await waitOrAbort(Math.min(ms, LONGEST_WAIT_MS), this.stopping.signal);
    }
  }

  private msUntil({ dueAt }: DueKey): number {
    return dueAt.getTime() - this.parts.clock().getTime();
  }

  /** @returns false when it must be tried again: nothing happened, and nobody is to blame */
  private async tryOnce(entry: DueKey & Entry, failures: number): Promise<boolean> {
    try {
      await this.parts.untilAllowed(this.stopping.signal);
      await this.advance(entry);
      return true;
    } catch (error) {
      if (this.stopped) return false;
      const defect = concernsEvent(error);
      if (defect) this.skip(entry, `its key could not be looked at: ${reasonOf(error)}`, error);
      else this.sayAgain(error, failures);
      return defect;
    }
  }

  private async advance(entry: DueKey): Promise<void> {
    if (this.stopped) return;
    const lateMs = -this.msUntil(entry);
    const { signal } = this.stopping;
    await this.parts.advance({ topic: entry.topic, key: entry.key }, { skipLocked: false, signal });
    this.parts.stats.add(lateMs);
  }

  private sayAgain(error: unknown, failures: number): void {
    const fields = { ...this.partition, attempts: failures, nextTryInMs: backoffMs(this.parts.backoff, failures), err: error };
    this.parts.logger.warn(fields, `no held event can be tried now, none is charged: ${reasonOf(error)}`);
  }

  private skip({ offset }: Entry, why: string, error?: unknown): void {
    const fields = { ...this.partition, offset, ...(error !== undefined && { err: error }) };
    this.parts.logger.error(fields, `a record of the retry topic is skipped, the sweeper finds what it was for: ${why}`);
  }
}
