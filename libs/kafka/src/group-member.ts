import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@shopflow/telemetry';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { connectKafka } from './connect.js';
import type { ConsumedRecord, PartitionBatch, TopicPartition } from './consumed-record.js';
import { fetchGroupOffsets, type PartitionOffsets } from './group-offsets.js';
import { logicalTopic, physicalGroup, physicalTopic } from './names.js';
import { OffsetCommitter, type OffsetToCommit } from './offset-committer.js';
import { subscriptionAssigner } from './subscription-assigner.js';

export interface GroupMemberOptions {
  readonly brokers: string;
  readonly clientId: string;
  readonly namespace: string;
  /** Logical names. */
  readonly group: string;
  readonly topics: readonly string[];
  readonly logger: Logger;
  /** The broker gives the partitions to others when it has heard nothing for so long. */
  readonly sessionTimeoutMs?: number;
}

/** Whoever does the work of a member. Called synchronously; must not throw. */
export interface GroupWork {
  /** Joined with exactly these partitions, all paused until {@link GroupMember.resume}; whatever was assigned before is void. */
  assigned(partitions: readonly TopicPartition[]): void;
  /** The group shares its partitions out anew, or the connection is gone: begin nothing more. */
  revoked(): void;
  /** Takes the records, or answers false: then they come again. */
  received(batch: PartitionBatch): boolean;
}

/**
 * - `joining`: looking for the broker, or the group is sharing out its partitions
 * - `joined`: reading
 * - `waiting`: something failed; the next try follows by itself
 */
export type MemberState = 'joining' | 'joined' | 'waiting' | 'left';

const HEARTBEAT_MS = 1_000;
/** Bounds how long a resumed partition waits for a fetch that is already under way. */
const FETCH_WAIT_MS = 100;
const REJOIN_MS = { first: 1_000, most: 30_000 };
/** Longer than kafkajs's own longest pause between two tries. */
const STALLED_MS = 120_000;

/**
 * This process as a member of a consumer group, for as long as it lives: whatever ends the membership, it joins again.
 * Work happens outside: kafkajs only fetches and heartbeats, so a slow handler neither loses the membership nor stops
 * other partitions.
 */
export class GroupMember {
  private readonly kafka: Kafka;
  private readonly committer: OffsetCommitter;
  private consumer: Consumer | undefined;
  private current: MemberState = 'joining';
  private lastSign = Date.now();
  private readonly left = new AbortController();
  private supervised: Promise<void> | undefined;

  constructor(
    private readonly options: GroupMemberOptions,
    private readonly work: GroupWork,
  ) {
    this.kafka = connectKafka(options);
    this.committer = new OffsetCommitter((offsets) => this.sendOffsets(offsets), options.logger);
  }

  get state(): MemberState {
    return this.current;
  }

  /** False only when the member should do something and does nothing: a reason to restart the process. */
  get live(): boolean {
    return this.current === 'left' || Date.now() - this.lastSign < STALLED_MS;
  }

  /** Returns at once; joins in the background for as long as it takes. */
  start(): void {
    this.supervised ??= this.supervise();
  }

  /** Commits what is done and leaves, so that the others take over at once. */
  async leave(): Promise<void> {
    if (this.current === 'left') return;
    await this.committer.flush();
    this.current = 'left';
    this.left.abort();
    await this.supervised;
    this.committer.clear();
  }

  /** The next fetch of the partition begins there. */
  seek({ topic, partition }: TopicPartition, offset: number): void {
    this.consumer?.seek({ topic: this.physical(topic), partition, offset: String(offset) });
  }

  pause({ topic, partition }: TopicPartition): void {
    this.consumer?.pause([{ topic: this.physical(topic), partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.consumer?.resume([{ topic: this.physical(topic), partitions: [partition] }]);
  }

  /** Commits in the background, together with what else is done meanwhile. */
  commit(offset: OffsetToCommit): void {
    if (this.current === 'joined') this.committer.note(offset);
  }

  async fetchOffsets(topics: readonly string[]): Promise<PartitionOffsets[]> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      return await fetchGroupOffsets(admin, { ...this.options, topics });
    } finally {
      await admin.disconnect();
    }
  }

  private async supervise(): Promise<void> {
    for (let pause = REJOIN_MS.first; !this.left.signal.aborted; pause = Math.min(pause * 2, REJOIN_MS.most)) {
      const began = Date.now();
      const reason = await this.session();
      this.lose();
      if (this.left.signal.aborted) return;
      if (Date.now() - began > REJOIN_MS.most) pause = REJOIN_MS.first;
      this.current = 'waiting';
      this.options.logger.error({ err: reason, nextTryInMs: pause }, `group ${this.options.group} lost its place; it joins again`);
      await delay(pause, undefined, { signal: this.left.signal }).catch(() => {});
    }
  }

  /** One kafkajs consumer, from connecting until it crashed, stalled, or the member leaves. Answers why it ended. */
  private async session(): Promise<unknown> {
    this.current = 'joining';
    this.sign();
    const consumer = this.createConsumer();
    this.consumer = consumer;
    const ended = this.endOf(consumer);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: this.options.topics.map((topic) => this.physical(topic)), fromBeginning: true });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async (payload) => this.receive(payload) });
      return await ended.promise;
    } catch (error) {
      return error;
    } finally {
      ended.stopWatching();
      await consumer.disconnect().catch((error: unknown) => this.options.logger.warn({ err: error }, 'leaving the group failed'));
    }
  }

  private createConsumer(): Consumer {
    const { namespace, group, sessionTimeoutMs = 30_000 } = this.options;
    const consumer = this.kafka.consumer({
      groupId: physicalGroup(namespace, group),
      partitionAssigners: [subscriptionAssigner],
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 60_000,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // A crash ends the session; joining again is decided here, in one place.
      retry: { restartOnFailure: async () => false },
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => this.join(consumer, payload.memberAssignment));
    consumer.on(consumer.events.REBALANCING, () => this.lose());
    for (const sign of [consumer.events.FETCH_START, consumer.events.HEARTBEAT] as const) consumer.on(sign as 'consumer.heartbeat', () => this.sign());
    return consumer;
  }

  private endOf(consumer: Consumer): { promise: Promise<unknown>; stopWatching: () => void } {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
    this.left.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    const watch = setInterval(() => !this.live && resolve(new Error(`no sign of life from kafkajs for ${STALLED_MS} ms`)), 5_000).unref();
    return { promise, stopWatching: () => clearInterval(watch) };
  }

  private join(consumer: Consumer, assignment: Record<string, number[]>): void {
    if (consumer !== this.consumer || this.left.signal.aborted) return;
    this.committer.clear();
    this.current = 'joined';
    // kafkajs keeps pauses over assignments: a partition that comes back would stay silent.
    consumer.resume(this.options.topics.map((topic) => ({ topic: this.physical(topic) })));
    consumer.pause(Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions })));
    const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic: logicalTopic(this.options.namespace, topic)!, partition })),
    );
    this.work.assigned(partitions);
  }

  private lose(): void {
    if (this.current === 'joined') this.current = 'joining';
    this.committer.clear();
    this.work.revoked();
  }

  private receive({ batch, resolveOffset, isStale }: EachBatchPayload): void {
    const { partition, messages } = batch;
    const topic = logicalTopic(this.options.namespace, batch.topic)!;
    if (isStale() || messages.length === 0) return;
    const records = messages.map(
      (message): ConsumedRecord => ({
        topic,
        partition,
        offset: Number(message.offset),
        timestamp: Number(message.timestamp),
        key: message.key,
        value: message.value,
        headers: message.headers ?? {},
      }),
    );
    const taken = this.work.received({ topic, partition, records, nextOffset: Number(batch.lastOffset()) + 1 });
    if (taken) resolveOffset(messages.at(-1)!.offset);
  }

  private async sendOffsets(offsets: readonly OffsetToCommit[]): Promise<void> {
    await this.consumer?.commitOffsets(
      offsets.map(({ topic, partition, offset }) => ({ topic: this.physical(topic), partition, offset: String(offset) })),
    );
  }

  private sign(): void {
    this.lastSign = Date.now();
  }

  private readonly physical = (topic: string): string => physicalTopic(this.options.namespace, topic);
}
