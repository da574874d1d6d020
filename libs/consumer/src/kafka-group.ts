import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { Database } from '@shopflow/database';
import { type MemberState, type PartitionBatch, partitionName, type TopicPartition, waitOrAbort } from '@shopflow/kafka';
import { runWithContext } from '@shopflow/telemetry';
import type { BreakerStatus } from './breaker/breaker-status.js';
import { buildGroup, type GroupParts, partsToStart } from './group-parts.js';
import { type GroupCounts, GroupStats } from './group-stats.js';
import { waitForHorizon } from './horizon/check-horizon.js';
import { type CompleteConsumerOptions, completeOptions, CONSUMER_OPTIONS, type ConsumerOptions } from './options.js';
import { PartitionWorker } from './partition-worker.js';
import type { Pause } from './pauses/read-pause.js';
import { refuseSmallPool } from './refuse-small-pool.js';
import { refuseMixedControllers } from './refuse-mixed-controllers.js';
import { KAFKA_GROUP, type Subscription } from './subscribe.js';
import type { WakeCounts } from './retry/retry-stats.js';
import { SubscriptionError, Subscriptions } from './subscriptions.js';
import { startWatchdog } from './watchdog/start-watchdog.js';
import type { PartitionStatus } from './worker-parts.js';

/** What a group is doing, for people and for `/status`. */
export interface GroupStatus extends GroupCounts {
  readonly group: string;
  readonly state: MemberState;
  /** Who has paused the group, and why; null when it may run. */
  readonly paused: Pause | null;
  /** Handlers that fail for one event after the other, and whether that has stopped them. */
  readonly breakers: readonly BreakerStatus[];
  readonly retries: WakeCounts & { readonly state: MemberState; readonly swept: number };
  readonly partitions: readonly PartitionStatus[];
}

/**
 * A service's consumer group: the transport strategy that calls its `@Subscribe` methods. Connect it with
 * `app.connectMicroservice({ strategy: app.get(KafkaGroup) })`; `serve` of @shopflow/http does that.
 */
@Injectable()
export class KafkaGroup extends Server implements CustomTransportStrategy {
  override readonly transportId = KAFKA_GROUP;
  private readonly options: CompleteConsumerOptions;
  private readonly subscriptions = new Subscriptions();
  private readonly counts = new GroupStats();
  private workers = new Map<string, PartitionWorker>();
  /** The latest work on every partition that this member ever had: the next one on it waits for its end. */
  private readonly latest = new Map<string, Promise<void>>();
  private parts: GroupParts | undefined;
  private closing: Promise<void> | undefined;
  private watchdog: { stop(): void } | undefined;
  private readonly stopping = new AbortController();
  /** Why this service must not read. */
  private refused: Error | undefined;

  constructor(
    @Inject(CONSUMER_OPTIONS) options: ConsumerOptions,
    private readonly database: Database,
    private readonly discovery: DiscoveryService,
  ) {
    super();
    this.options = completeOptions(options);
  }

  /** @throws SubscriptionError when the handler is no subscription, or the event has one already */
  override addHandler(pattern: string, callback: MessageHandler, _isEventHandler?: boolean, extras: Record<string, unknown> = {}): void {
    const subscription = extras['subscription'] as Subscription | undefined;
    if (!subscription)
      throw new SubscriptionError(`the handler of ${pattern} must use @Subscribe or @SubscribeBatch to be in a Kafka group`);
    this.subscriptions.add(pattern, subscription, callback);
  }

  /**
   * Starts to join the group and returns; {@link check} tells when it has. Waits some seconds for Kafka to say that the
   * group's dedup horizon is long enough.
   */
  listen(callback: (error?: unknown) => void): void {
    void this.tryToStart(callback);
  }

  /** Finishes what is under way within 2 s, or hands it back; then takes 4 s at most to commit and leave. Afterwards the database may close. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  /** Resolves when the group is reading. @throws Error saying what it does instead: for a readiness check */
  async check(): Promise<void> {
    if (this.refused) throw this.refused;
    const state = this.parts?.member.state ?? 'not started';
    const missing = this.parts?.member.missingTopics ?? [];
    if (missing.length > 0) throw new Error(`group ${this.options.group} reads without topics that do not exist: ${missing.join(', ')}`);
    if (state !== 'joined') throw new Error(`group ${this.options.group} is not reading: ${state}`);
  }

  /** False when only a restart of the process helps: for a liveness check. */
  get live(): boolean {
    return this.refused === undefined && (this.parts === undefined || (this.parts.member.live && this.parts.retry.live));
  }

  /** What it has done and is doing. */
  stats(): GroupStatus {
    const { group } = this.options;
    const { parts } = this;
    const partitions = [...this.workers.values()].map((worker) => worker.status);
    if (!parts) throw new Error(`group ${group} has not started`);
    const { member, pauses, breaker, retry, sweeper } = parts;
    const retries = { state: retry.state, ...retry.counts, swept: sweeper.swept };
    return { group, state: member.state, paused: pauses.pause, breakers: breaker.status, ...this.counts.counts, retries, partitions };
  }

  /** Puts new dead letters into the DLQ topic soon, instead of at the next sweep. */
  publishDeadLetters(): void {
    this.parts?.publisher.wake();
  }

  on(): never {
    throw new Error('a Kafka group has no events; see stats()');
  }

  unwrap<T>(): T {
    return this.parts?.member as T;
  }

  private async tryToStart(callback: (error?: unknown) => void): Promise<void> {
    try {
      await runWithContext({ group: this.options.group }, () => this.start());
    } catch (error) {
      return callback(error);
    }
    callback();
  }

  /** @throws what is wrong with the service; an outage is nothing wrong */
  private async start(): Promise<void> {
    const { group, logger, watchdogMs } = this.options;
    const { database, subscriptions } = this;
    refuseMixedControllers(this.discovery);
    if (subscriptions.topics.length === 0) throw new SubscriptionError(`group ${group} subscribes to nothing`);
    refuseSmallPool(database.poolSize, this.options);
    const work = { assigned: this.assigned, revoked: this.revoked, received: this.received };
    const parts = buildGroup(this.options, { database, subscriptions, stats: this.counts, work });
    this.parts = parts;
    if (watchdogMs > 0) this.watchdog = startWatchdog({ limitMs: watchdogMs, name: group, onError: this.unwatched });
    await Promise.race([this.join(parts), waitOrAbort(HORIZON_PATIENCE_MS, this.stopping.signal)]);
    if (this.refused) throw this.refused;
    logger.info({ group, topics: subscriptions.topics, types: subscriptions.types }, `group ${group} starts`);
  }

  /** Reads nothing before it is known that whatever is read twice will be known again. */
  private async join(parts: GroupParts): Promise<void> {
    const { group, logger } = this.options;
    try {
      await waitForHorizon(parts.horizon, this.stopping.signal);
    } catch (error) {
      this.refused = error as Error;
      logger.fatal({ group, err: error }, this.refused.message);
      return;
    }
    if (!this.stopping.signal.aborted) for (const part of partsToStart(parts)) part.start();
  }

  private async stop(): Promise<void> {
    this.stopping.abort();
    for (const worker of this.workers.values()) worker.stop({ lost: false });
    const { parts } = this;
    parts?.pauses.stop();
    this.watchdog?.stop();
    await this.finish(parts);
    await Promise.all([parts?.member.leave(), parts?.publisher.stop(), parts?.wakeUps.stop()]);
  }

  /** What takes longer ends with the process; its events are not to blame. */
  private async finish(parts: GroupParts | undefined): Promise<void> {
    const over = new AbortController();
    const tooLate = waitOrAbort(FINISH_MS, over.signal).then(() => 'too late');
    const parted = parts ? [parts.sweeper.stop(), parts.retry.stop(), parts.pruner.stop()] : [];
    const end = await Promise.race([Promise.all([...this.latest.values(), ...parted]), tooLate]);
    over.abort();
    if (end === 'too late') await this.abandon(parts);
  }

  private async abandon(parts: GroupParts | undefined): Promise<void> {
    const { logger, group } = this.options;
    logger.warn({ group }, `what was under way was not done after ${FINISH_MS} ms; it runs again elsewhere`);
    const workers = [...this.workers.values()].map((worker) => worker.abandon());
    await Promise.race([Promise.all([...workers, parts?.heldStarts.giveBackAll()]), waitOrAbort(ABANDON_MS, new AbortController().signal)]);
  }

  private readonly unwatched = (error: Error): void => {
    this.options.logger.error({ err: error }, 'the watchdog has ended: a handler that blocks this process would not be noticed');
  };

  private readonly assigned = (partitions: readonly TopicPartition[]): void => {
    this.revoked();
    this.workers = new Map(partitions.map((partition) => [partitionName(partition), this.work(partition)]));
    const numbers = partitions.map(partitionName);
    this.options.logger.info({ partitions: numbers }, `group ${this.options.group} has ${numbers.length} partitions here`);
  };

  private readonly revoked = (): void => {
    for (const worker of this.workers.values()) worker.stop({ lost: true });
  };

  private readonly received = (batch: PartitionBatch): boolean => this.workers.get(partitionName(batch))?.receive(batch) ?? false;

  private work(partition: TopicPartition): PartitionWorker {
    const worker = new PartitionWorker(partition, this.parts!.worker, this.latest.get(partitionName(partition)));
    this.latest.set(partitionName(partition), worker.done);
    return worker;
  }
}

/** While Kafka is away a service starts all the same. */
const HORIZON_PATIENCE_MS = 5_000;

/** In time for the rest of the stop: `serve` of @shopflow/http ends the process after 5.5 s. */
const FINISH_MS = 2_000;
/** The database may be what it waits for. */
const ABANDON_MS = 500;
