import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { Database } from '@shopflow/database';
import { GroupMember, type MemberState, type PartitionBatch, type TopicPartition } from '@shopflow/kafka';
import { runWithContext } from '@shopflow/telemetry';
import { DeadLetterPublisher } from './dead-letters/dead-letter-publisher.js';
import { StartFinder } from './find-start.js';
import { type GroupCounts, GroupStats } from './group-stats.js';
import { Limiter } from './limiter.js';
import { type CompleteConsumerOptions, completeOptions, CONSUMER_OPTIONS, type ConsumerOptions } from './options.js';
import { type GroupParts, type PartitionStatus, PartitionWorker } from './partition-worker.js';
import { refuseMixedControllers } from './refuse-mixed-controllers.js';
import { KAFKA_GROUP, type Subscription } from './subscribe.js';
import { SubscriptionError, Subscriptions } from './subscriptions.js';

/** What a group is doing, for people and for `/status`. */
export interface GroupStatus extends GroupCounts {
  readonly group: string;
  readonly state: MemberState;
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
  private parts: (GroupParts & { readonly member: GroupMember }) | undefined;
  private publisher: DeadLetterPublisher | undefined;
  private closing: Promise<void> | undefined;

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

  /** Starts to join the group and returns; {@link check} tells when it has. */
  listen(callback: (error?: unknown) => void): void {
    try {
      refuseMixedControllers(this.discovery);
      if (this.subscriptions.topics.length === 0) throw new SubscriptionError(`group ${this.options.group} subscribes to nothing`);
      runWithContext({ group: this.options.group }, () => this.start());
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Finishes the chunks under way, then takes 4 s at most to commit and leave the group. Afterwards the database may close. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  /** Resolves when the group is reading. @throws Error saying what it does instead: for a readiness check */
  async check(): Promise<void> {
    const state = this.parts?.member.state ?? 'not started';
    if (state !== 'joined') throw new Error(`group ${this.options.group} is not reading: ${state}`);
  }

  /** False when only a restart of the process helps: for a liveness check. */
  get live(): boolean {
    return this.parts?.member.live ?? true;
  }

  /** What it has done and is doing. */
  stats(): GroupStatus {
    const { group } = this.options;
    const partitions = [...this.workers.values()].map((worker) => worker.status);
    return { group, state: this.parts?.member.state ?? 'left', ...this.counts.counts, partitions };
  }

  /** Puts new dead letters into the DLQ topic soon, instead of at the next sweep. */
  publishDeadLetters(): void {
    this.publisher?.wake();
  }

  on(): never {
    throw new Error('a Kafka group has no events; see stats()');
  }

  unwrap<T>(): T {
    return this.parts?.member as T;
  }

  private start(): void {
    const { group, brokers, namespace, logger, sessionTimeoutMs, concurrency, sweepMs, clock, chunkSize, backoff } = this.options;
    const { database, subscriptions } = this;
    const { topics } = subscriptions;
    const work = { assigned: this.assigned, revoked: this.revoked, received: this.received };
    const member = new GroupMember({ brokers, clientId: group, namespace, group, topics, logger, sessionTimeoutMs }, work);
    const starts = new StartFinder(database, member, group);
    const shared = { group, database, subscriptions, member, starts, limiter: new Limiter(concurrency), stats: this.counts };
    this.publisher = new DeadLetterPublisher(database, { group, brokers, namespace, logger, sweepMs, sources: topics });
    this.parts = { ...shared, logger, clock, chunkSize, backoff, onBuried: () => this.publishDeadLetters() };
    this.publisher.start();
    member.start();
    logger.info({ group, topics, types: subscriptions.types }, `group ${group} starts`);
  }

  private async stop(): Promise<void> {
    for (const worker of this.workers.values()) worker.stop({ lost: false });
    await Promise.all(this.latest.values());
    await Promise.all([this.parts?.member.leave(), this.publisher?.stop()]);
  }

  private readonly assigned = (partitions: readonly TopicPartition[]): void => {
    this.revoked();
    this.workers = new Map(partitions.map((partition) => [keyOf(partition), this.work(partition)]));
    const numbers = partitions.map(keyOf);
    this.options.logger.info({ partitions: numbers }, `group ${this.options.group} has ${numbers.length} partitions here`);
  };

  private readonly revoked = (): void => {
    for (const worker of this.workers.values()) worker.stop({ lost: true });
  };

  private readonly received = (batch: PartitionBatch): boolean => this.workers.get(keyOf(batch))?.receive(batch) ?? false;

  private work(partition: TopicPartition): PartitionWorker {
    const worker = new PartitionWorker(partition, this.parts!, this.latest.get(keyOf(partition)));
    this.latest.set(keyOf(partition), worker.done);
    return worker;
  }
}

const keyOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
