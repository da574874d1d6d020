import {
  GroupMember,
  type MemberState,
  type PartitionBatch,
  partitionName,
  type TopicPartition,
  unlessAborted,
  waitOrAbort,
} from '@shopflow/kafka';
import { backoffMs } from '../backoff.js';
import { type RetryParts, RetryPartition } from './retry-partition.js';
import { RetryStats, type WakeCounts } from './retry-stats.js';
import { ensureRetryTopics, retryTopics, type RetryTopicsOptions } from './retry-topics.js';
import type { DelaysMs } from './tier.js';

export interface RetryConsumerOptions extends RetryTopicsOptions, Omit<RetryParts, 'member' | 'stats'> {
  readonly delaysMs: DelaysMs;
  readonly sessionTimeoutMs?: number;
}

/** What became of wake-ups here, for people. */
export interface RetryCounts extends WakeCounts {
  /** Records fetched that are not due yet, or wait behind one that is not. */
  readonly waiting: number;
}

/** Its records are seldom due at once, and a sweep finds what they are for. */
const FETCH_WAIT_MS = 500;

/**
 * Reads a group's retry topics, as group `<group>.retry`, and looks at each held key when its record says that it is due,
 * never early. A record says "look at this key" and nothing else, so one that is lost, purged or read twice does no harm.
 */
export class RetryConsumer {
  private readonly member: GroupMember;
  private readonly stats = new RetryStats();
  private readonly delays: ReadonlyMap<string, number>;
  private readonly stopping = new AbortController();
  private readonly partitions = new Map<string, RetryPartition>();
  private starting: Promise<void> | undefined;
  private topicsMissing = false;

  constructor(private readonly options: RetryConsumerOptions) {
    const topics = retryTopics(options.group);
    const clientId = `${options.group}-retry`;
    const work = { assigned: this.assigned, revoked: this.revoked, received: this.received };
    this.delays = new Map(topics.map((topic, index) => [topic, options.delaysMs[index]!]));
    this.member = new GroupMember(
      { ...options, group: `${options.group}.retry`, clientId, topics, fetchWaitMs: FETCH_WAIT_MS, expiryIsHarmless: true },
      work,
    );
  }

  get state(): MemberState {
    return this.topicsMissing ? 'waiting' : this.member.state;
  }

  /** False when only a restart of the process helps. */
  get live(): boolean {
    return this.member.live;
  }

  get counts(): RetryCounts {
    const waiting = [...this.partitions.values()].reduce((sum, partition) => sum + partition.waiting, 0);
    return { ...this.stats.counts, waiting };
  }

  /** Returns at once; creates the topics and joins in the background, for as long as it takes. */
  start(): void {
    this.starting ??= this.begin();
  }

  /** Ends every wait, finishes the keys under way, then takes 4 s at most to commit and leave the group. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.revoked();
    await Promise.all([this.starting, ...[...this.partitions.values()].map(({ done }) => done)]);
    await this.member.leave();
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 1; !signal.aborted; failures++) {
      this.topicsMissing = !(await this.ensureTopics(failures));
      if (!this.topicsMissing && !signal.aborted) return this.member.start();
      await waitOrAbort(backoffMs(this.options.backoff, failures), signal);
    }
  }

  private async ensureTopics(failures: number): Promise<boolean> {
    const { group, backoff, logger } = this.options;
    try {
      await unlessAborted(ensureRetryTopics(this.options), this.stopping.signal);
      return true;
    } catch (error) {
      const fields = { group, nextTryInMs: backoffMs(backoff, failures), err: error };
      if (!this.stopping.signal.aborted) logger.warn(fields, 'the retry topics cannot be created; only the sweeper wakes held events');
      return false;
    }
  }

  private readonly assigned = (partitions: readonly TopicPartition[]): void => {
    this.revoked();
    for (const partition of partitions) this.partitions.set(partitionName(partition), this.work(partition));
  };

  private readonly revoked = (): void => {
    for (const partition of this.partitions.values()) partition.stop();
  };

  private readonly received = (batch: PartitionBatch): boolean => this.partitions.get(partitionName(batch))?.receive(batch) ?? false;

  private work(partition: TopicPartition): RetryPartition {
    const parts = { ...this.options, member: this.member, stats: this.stats };
    return new RetryPartition(partition, parts, this.delays.get(partition.topic)!, this.partitions.get(partitionName(partition))?.done);
  }
}
