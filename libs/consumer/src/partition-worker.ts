import { type PartitionBatch, type TopicPartition, unlessAborted, waitOrAbort } from '@shopflow/kafka';
import { BreakerOpenError } from './breaker/breaker-open.js';
import { stopsAll } from './breaker/stops-all.js';
import type { Chunk, ChunkResult } from './chunk.js';
import { DatabaseWentBackError } from './consumed-offsets.js';
import { sortRecords } from './event-item.js';
import { classifyFailure, CrashedError } from './failure.js';
import { identityKey } from './identify-event.js';
import { Pace } from './pace.js';
import { PartitionFailures } from './partition-failures.js';
import { PartitionStarts } from './partition-starts.js';
import { RecordQueue } from './record-queue.js';
import { runChunk } from './run-chunk.js';
import { runLanes } from './run-lanes.js';
import { MOST_STARTS } from './starts/most-starts.js';
import type { PartitionStatus, WorkerParts } from './worker-parts.js';

const START_KEPT = 'a start could not be given back; should this process end now, the next runs the events that it was for one by one';

/** Works through one partition, chunk by chunk, from its assignment until it is stopped. */
export class PartitionWorker {
  private readonly queue: RecordQueue;
  private readonly pace: Pace;
  private readonly failures: PartitionFailures;
  private readonly starts: PartitionStarts;
  /** What is wrong with the event that comes next, by its `identityKey`: found out by what the whole transaction came to. */
  private known: ReadonlyMap<string, unknown> | undefined;
  private readonly stopping = new AbortController();
  private fetching = false;
  private highWatermark = 0;
  /** What comes next lies before what is done: where to go on must be found anew. */
  private wentBack = false;
  private lost = false;
  /** Resolves when the last chunk is done after {@link stop}. */
  readonly done: Promise<void>;

  /** @param before the end of the work that an earlier assignment left here: order in a partition is kept over it */
  constructor(
    private readonly partition: TopicPartition,
    private readonly parts: WorkerParts,
    before: Promise<void> = Promise.resolve(),
  ) {
    this.queue = new RecordQueue(partition);
    this.pace = new Pace(parts.chunkSize);
    this.failures = new PartitionFailures(partition, parts.logger, parts.backoff, parts.clock);
    this.starts = new PartitionStarts(parts.database, parts.group, partition);
    this.done = before.then(() => this.run());
  }

  get status(): PartitionStatus {
    const { waiting } = this.failures;
    const { position, length: queued } = this.queue;
    return { ...this.partition, position, queued, ...this.lag, ...(waiting && { waiting }) };
  }

  private get lag(): Pick<PartitionStatus, 'lag' | 'lagMs'> {
    const lag = Math.max(0, this.highWatermark - this.queue.position);
    const [first] = this.queue.peek(1).records;
    if (lag === 0) return { lag, lagMs: 0 };
    return { lag, lagMs: first ? Math.max(0, this.parts.clock().getTime() - first.timestamp) : null };
  }

  /** Takes fetched records; false when they are not wanted now. */
  receive(batch: PartitionBatch): boolean {
    if (!this.fetching || this.stopped) return false;
    if (batch.records[0]!.offset < this.queue.expected) return this.goBack();
    this.queue.add(batch);
    this.highWatermark = batch.highWatermark;
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

  /** Gives up waiting for a chunk under way: the process ends, and its events are not to blame. */
  abandon(): Promise<void> {
    return this.giveBackStart();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.begin();
      while (!this.stopped && !this.wentBack) await this.step();
    }
    await this.giveBackStart();
  }

  private async giveBackStart(): Promise<void> {
    await this.starts.giveBack().catch((error: unknown) => this.parts.logger.warn({ ...this.partition, err: error }, START_KEPT));
  }

  private async begin(): Promise<void> {
    this.stopFetching();
    this.wentBack = false;
    while (!this.stopped) {
      try {
        const { offset, notice } = await unlessAborted(this.parts.starts.find(this.partition), this.stopping.signal);
        if (this.stopped) return;
        if (notice) this.parts.logger[notice.level]({ ...this.partition, offset }, `reading from offset ${offset}: ${notice.text}`);
        this.queue.restart(offset);
        this.parts.member.seek(this.partition, offset);
        return this.fetch();
      } catch (error) {
        if (!this.stopped) await this.wait(this.failures.outage(error));
      }
    }
  }

  private async step(): Promise<void> {
    await this.queue.wait();
    await this.parts.untilAllowed(this.stopping.signal);
    if (this.wentBack || this.stopped) return;
    const { limit, oneByOne } = this.pace.at(this.queue.position);
    const chunk = this.queue.peek(limit);
    try {
      const result = await this.inTurn(async (alone) => (this.stopped ? undefined : this.work(chunk, { oneByOne, alone })));
      if (result) await this.committed(result);
    } catch (error) {
      await this.failed(chunk, error);
    }
  }

  /** Suspects run alone: whatever else was under way when the process ends would be blamed as well, each time. */
  private inTurn<T>(work: (alone: boolean) => Promise<T>): Promise<T> {
    const alone = this.queue.position < this.starts.suspect;
    return alone ? this.parts.limiter.runAlone(() => work(true)) : this.parts.limiter.run(() => work(false));
  }

  /** @returns undefined when it must be done in smaller pieces, or alone */
  private async work(chunk: Chunk, { oneByOne, alone }: { oneByOne: boolean; alone: boolean }): Promise<ChunkResult | undefined> {
    const starts = await this.starts.begin(chunk);
    if (starts > 1 && (chunk.records.length > 1 || !alone)) {
      await this.starts.giveBack();
      this.pace.suspect(this.starts.suspect);
      return undefined;
    }
    const known = starts > MOST_STARTS ? this.each(chunk, new CrashedError(MOST_STARTS)) : this.known;
    const { signal } = this.stopping;
    const options = { ...this.parts, oneByOne, signal, suspectUntil: this.starts.suspect, ...(known && { known }) };
    return oneByOne || this.parts.lanes === 1 ? runChunk(chunk, options) : runLanes(chunk, options);
  }

  private async committed(result: ChunkResult): Promise<void> {
    const { parts, partition } = this;
    this.known = undefined;
    // Nothing was begun where the first event waits for a breaker.
    if (result.to === this.queue.position) await this.giveBackStart();
    else this.starts.committed();
    this.queue.advance(result.to);
    this.failures.committed();
    if (!this.lost) parts.member.commit({ ...partition, offset: result.to });
    parts.onCommitted(partition, result);
    if (!this.fetching && !this.stopped && !this.wentBack && this.queue.low) this.fetch();
    if (result.waitsFor !== undefined) await parts.breaker.untilAllowed(this.stopping.signal, result.waitsFor);
  }

  private async failed(chunk: Chunk, error: unknown): Promise<void> {
    const kind = classifyFailure(error);
    if (kind === 'hangs' && !stopsAll(this.parts.breaker, error)) return this.hung(chunk);
    await this.giveBackStart();
    if (this.stopped) return;
    if (error instanceof BreakerOpenError || kind === 'hangs') {
      this.known = undefined;
      return;
    }
    if (error instanceof DatabaseWentBackError) {
      this.parts.logger.error({ ...this.partition, err: error }, error.message);
      this.wentBack = true;
      return;
    }
    if (kind === 'outage') return this.wait(this.failures.outage(error));
    if (kind === 'contention') return this.wait(this.failures.contention(error));
    if (!this.pace.narrow(chunk)) await this.blame(chunk, error);
  }

  private hung(chunk: Chunk): void {
    this.starts.hung(chunk);
    this.pace.suspect(chunk.to);
  }

  /** A chunk of one record fails as a whole, at its commit for instance: then it is that event. */
  private async blame(chunk: Chunk, error: unknown): Promise<void> {
    const known = this.each(chunk, error);
    // With nobody to blame, or when writing the blame down fails as well, it is no event's fault.
    if (this.known !== undefined || known.size === 0) await this.wait(this.failures.outage(error));
    this.known = this.known === undefined ? known : undefined;
  }

  private each({ records }: Chunk, error: unknown): Map<string, unknown> {
    return new Map(sortRecords(records, this.parts.subscriptions).candidates.map(({ identity }) => [identityKey(identity), error]));
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
