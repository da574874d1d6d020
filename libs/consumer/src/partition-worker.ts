import type { Database } from '@shopflow/database';
import { type GroupMember, type PartitionBatch, type TopicPartition, waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import type { Backoff } from './backoff.js';
import type { Chunk, ChunkResult, WaitingEvent } from './chunk.js';
import { DatabaseWentBackError } from './consumed-offsets.js';
import { labelOf, sortRecords } from './event-item.js';
import { classifyFailure } from './failure.js';
import type { StartFinder } from './find-start.js';
import type { GroupStats } from './group-stats.js';
import { identityKey } from './identify-event.js';
import type { Limiter } from './limiter.js';
import { logResult } from './log-result.js';
import { Pace } from './pace.js';
import { PartitionFailures, type WaitingStatus } from './partition-failures.js';
import { RecordQueue } from './record-queue.js';
import { runChunk } from './run-chunk.js';
import type { Subscriptions } from './subscriptions.js';

/** What the partitions of a group share. */
export interface GroupParts {
  readonly group: string;
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly member: Pick<GroupMember, 'seek' | 'pause' | 'resume' | 'commit'>;
  readonly starts: StartFinder;
  readonly limiter: Limiter;
  readonly stats: GroupStats;
  readonly logger: Logger;
  readonly clock: () => Date;
  readonly chunkSize: number;
  readonly backoff: Backoff;
  /** Called when dead letters were committed. */
  readonly onBuried: () => void;
}

/** What a partition is doing, for people. */
export interface PartitionStatus extends TopicPartition {
  /** Everything before this offset is done. */
  readonly position: number;
  /** Records fetched and not done. */
  readonly queued: number;
  readonly waiting?: WaitingStatus;
}

/** Works through one partition, chunk by chunk, from its assignment until it is stopped. */
export class PartitionWorker {
  private readonly queue: RecordQueue;
  private readonly pace: Pace;
  private readonly failures: PartitionFailures;
  private readonly stopping = new AbortController();
  private fetching = false;
  /** What comes next lies before what is done: where to go on must be found anew. */
  private wentBack = false;
  private lost = false;
  /** Resolves when the last chunk is done after {@link stop}. */
  readonly done: Promise<void>;

  /** @param before the end of the work that an earlier assignment left here: order in a partition is kept over it */
  constructor(
    private readonly partition: TopicPartition,
    private readonly parts: GroupParts,
    before: Promise<void> = Promise.resolve(),
  ) {
    this.queue = new RecordQueue(partition);
    this.pace = new Pace(parts.chunkSize);
    this.failures = new PartitionFailures(partition, parts.logger, parts.backoff, parts.clock);
    this.done = before.then(() => this.run());
  }

  get status(): PartitionStatus {
    const { waiting } = this.failures;
    return { ...this.partition, position: this.queue.position, queued: this.queue.length, ...(waiting && { waiting }) };
  }

  /** Takes fetched records; false when they are not wanted now. */
  receive(batch: PartitionBatch): boolean {
    if (!this.fetching || this.stopped) return false;
    if (batch.records[0]!.offset < this.queue.expected) return this.goBack();
    this.queue.add(batch);
    if (this.queue.full) this.stopFetching();
    return true;
  }

  /**
   * Begins nothing more. Ends a pause at once; a chunk under way is finished.
   * @param lost the partition belongs to somebody else now: what still ends here is not committed to Kafka
   */
  stop({ lost }: { lost: boolean }): void {
    this.lost ||= lost;
    this.stopping.abort();
    this.stopFetching();
    this.queue.notify();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.begin();
      while (!this.stopped && !this.wentBack) await this.step();
    }
  }

  private async begin(): Promise<void> {
    this.stopFetching();
    this.wentBack = false;
    while (!this.stopped) {
      try {
        const { offset, notice } = await this.parts.starts.find(this.partition);
        if (this.stopped) return;
        if (notice) this.parts.logger[notice.level]({ ...this.partition, offset }, `reading from offset ${offset}: ${notice.text}`);
        this.queue.restart(offset);
        this.parts.member.seek(this.partition, offset);
        return this.fetch();
      } catch (error) {
        await this.wait(this.failures.outage(error));
      }
    }
  }

  private async step(): Promise<void> {
    await this.queue.wait();
    if (this.wentBack || this.stopped) return;
    const { limit, oneByOne } = this.pace.at(this.queue.position);
    const chunk = this.queue.peek(limit);
    try {
      const result = await this.parts.limiter.run(async () => (this.stopped ? undefined : this.runChunk(chunk, oneByOne)));
      if (result) await this.committed(result);
    } catch (error) {
      await this.failed(chunk, error);
    }
  }

  private runChunk(chunk: Chunk, oneByOne: boolean): Promise<ChunkResult> {
    const { signal } = this.stopping;
    return runChunk(chunk, { ...this.parts, oneByOne, signal, failedBefore: (key) => this.failures.failedBefore(key) });
  }

  private async committed(result: ChunkResult): Promise<void> {
    this.queue.advance(result.to);
    this.failures.committed(result.waiting);
    this.parts.stats.add(result);
    if (!this.lost) this.parts.member.commit({ ...this.partition, offset: result.to });
    if (result.buried.length > 0) this.parts.onBuried();
    logResult(this.parts.logger, this.partition, result);
    if (!this.fetching && !this.stopped && !this.wentBack && this.queue.low) this.fetch();
    if (result.waiting) await this.waitFor(result.waiting, result.to);
    else this.pace.widen();
  }

  private async failed(chunk: Chunk, error: unknown): Promise<void> {
    if (this.stopped) return;
    if (error instanceof DatabaseWentBackError) {
      this.parts.logger.error({ ...this.partition, err: error }, error.message);
      this.wentBack = true;
      return;
    }
    const kind = classifyFailure(error);
    if (kind === 'contention') await this.wait(this.failures.contention(error));
    else if (kind === 'outage') await this.wait(this.failures.outage(error));
    else if (!this.pace.narrow(chunk)) await this.blame(chunk, error);
  }

  /** A chunk of one record fails as a whole, at its commit for instance: then it is that event. */
  private async blame(chunk: Chunk, error: unknown): Promise<void> {
    const [candidate] = sortRecords(chunk.records, this.parts.subscriptions).candidates;
    if (!candidate) return this.wait(this.failures.outage(error));
    await this.waitFor({ ...labelOf(candidate), key: identityKey(candidate.identity), error }, candidate.record.offset);
  }

  private async waitFor(event: WaitingEvent, offset: number): Promise<void> {
    this.pace.alone(offset);
    await this.wait(this.failures.eventFailed(event));
  }

  private wait(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : waitOrAbort(ms, this.stopping.signal);
  }

  private fetch(): void {
    this.fetching = true;
    this.parts.member.resume(this.partition);
  }

  private stopFetching(): void {
    this.fetching = false;
    this.parts.member.pause(this.partition);
  }

  /** The topic was created anew while we were reading it: what comes now lies before what is done. */
  private goBack(): false {
    this.wentBack = true;
    this.stopFetching();
    this.queue.notify();
    return false;
  }
}
