import type { Logger } from '@shopflow/telemetry';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { ConsumedRecord, PartitionBatch, TopicPartition } from './consumed-record.js';
import { logicalTopic, physicalGroup, physicalTopic } from './names.js';
import { readHeaders } from './read-headers.js';
import type { OffsetToCommit } from './offset-committer.js';
import { subscriptionAssigner } from './subscription-assigner.js';

export interface GroupSessionOptions {
  readonly namespace: string;
  /** Logical names. */
  readonly group: string;
  readonly topics: readonly string[];
  readonly logger: Logger;
  /** The broker gives the partitions to others when it has heard nothing for so long; 10 s unless given. */
  readonly sessionTimeoutMs?: number;
}

/** What happens to a session. Called synchronously. */
export interface SessionEvents {
  joined(partitions: readonly TopicPartition[]): void;
  rebalancing(): void;
  received(batch: PartitionBatch): boolean;
}

const HEARTBEAT_MS = 1_000;
/** Bounds how long a resumed partition waits for a fetch that is already under way. */
const FETCH_WAIT_MS = 100;
/** Longer than kafkajs's own longest pause between two tries. */
const STALLED_MS = 120_000;
const WATCH_MS = 5_000;

/** One kafkajs consumer, from connecting until it crashes, stalls or is ended. */
export class GroupSession {
  private readonly consumer: Consumer;
  private readonly over = Promise.withResolvers<unknown>();
  /** Whose functions act on the session as it is now, whichever batch they came with. */
  private lastPayload: Pick<EachBatchPayload, 'commitOffsetsIfNecessary'> | undefined;
  private lastSign = Date.now();
  /** kafkajs refuses the calls below before it has joined and after it has stopped; then there is nothing to steer either. */
  private steerable = false;

  constructor(
    kafka: Kafka,
    private readonly options: GroupSessionOptions,
    private readonly events: SessionEvents,
  ) {
    this.consumer = kafka.consumer({
      groupId: physicalGroup(options.namespace, options.group),
      partitionAssigners: [subscriptionAssigner],
      sessionTimeout: options.sessionTimeoutMs ?? 10_000,
      rebalanceTimeout: 60_000,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // A crash ends the session; whether and when to join again is decided in one place.
      retry: { restartOnFailure: async () => false },
    });
    this.listen();
  }

  /** False when kafkajs should fetch or heartbeat and does nothing. */
  get live(): boolean {
    return Date.now() - this.lastSign < STALLED_MS;
  }

  /** Runs the session. Resolves with why it ended: undefined when {@link end} was called. */
  async run(): Promise<unknown> {
    const watch = setInterval(
      () => this.live || this.over.resolve(new Error(`no sign of life from kafkajs for ${STALLED_MS} ms`)),
      WATCH_MS,
    );
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topics: this.options.topics.map(this.physical), fromBeginning: true });
      await this.consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async (payload) => this.receive(payload) });
      return await this.over.promise;
    } catch (error) {
      return error;
    } finally {
      clearInterval(watch);
      await this.consumer.disconnect().catch((error: unknown) => this.options.logger.warn({ err: error }, 'leaving the group failed'));
    }
  }

  end(): void {
    this.over.resolve(undefined);
  }

  /** The next fetch of the partition begins there. */
  seek({ topic, partition }: TopicPartition, offset: number): void {
    if (this.steerable) this.consumer.seek({ topic: this.physical(topic), partition, offset: String(offset) });
  }

  pause({ topic, partition }: TopicPartition): void {
    if (this.steerable) this.consumer.pause([{ topic: this.physical(topic), partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    if (this.steerable) this.consumer.resume([{ topic: this.physical(topic), partitions: [partition] }]);
  }

  /**
   * One attempt, under the generation of this moment: kafkajs's `commitOffsets` tries again after a rebalance, when the
   * partition may belong to another member.
   */
  async commit(offsets: readonly OffsetToCommit[]): Promise<void> {
    const topics = offsets.map(({ topic, partition, offset }) => ({
      topic: this.physical(topic),
      partitions: [{ partition, offset: String(offset) }],
    }));
    await this.lastPayload?.commitOffsetsIfNecessary({ topics });
  }

  private listen(): void {
    const { consumer, events } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => this.joined(payload.memberAssignment));
    consumer.on(consumer.events.REBALANCING, () => events.rebalancing());
    consumer.on(consumer.events.STOP, () => void (this.steerable = false));
    consumer.on(consumer.events.CRASH, ({ payload }) => this.over.resolve(payload.error));
    consumer.on(consumer.events.FETCH_START, () => this.sign());
    consumer.on(consumer.events.HEARTBEAT, () => this.sign());
  }

  private joined(assignment: Record<string, number[]>): void {
    this.sign();
    this.steerable = true;
    // kafkajs keeps pauses over assignments: a partition that comes back would stay silent.
    this.consumer.resume(this.options.topics.map((topic) => ({ topic: this.physical(topic) })));
    this.consumer.pause(Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions })));
    const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic: this.logical(topic), partition })),
    );
    this.events.joined(partitions);
  }

  private receive(payload: EachBatchPayload): void {
    this.lastPayload = payload;
    const { batch } = payload;
    const last = batch.messages.at(-1);
    if (payload.isStale() || last === undefined) return;
    const taken = this.events.received(this.toPartitionBatch(batch));
    if (taken) payload.resolveOffset(last.offset);
  }

  private toPartitionBatch(batch: EachBatchPayload['batch']): PartitionBatch {
    const { partition } = batch;
    const topic = this.logical(batch.topic);
    const records = batch.messages.map((message): ConsumedRecord => ({
      topic,
      partition,
      offset: Number(message.offset),
      timestamp: Number(message.timestamp),
      key: message.key,
      value: message.value,
      headers: readHeaders(message.headers),
    }));
    return { topic, partition, records, nextOffset: Number(batch.lastOffset()) + 1 };
  }

  private sign(): void {
    this.lastSign = Date.now();
  }

  private readonly physical = (topic: string): string => physicalTopic(this.options.namespace, topic);
  private readonly logical = (topic: string): string => logicalTopic(this.options.namespace, topic)!;
}
