import type { Logger } from '@shopflow/telemetry';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { atMost } from './at-most.js';
import type { PartitionBatch, TopicPartition } from './consumed-record.js';
import { fetchedFrom, toPartitionBatch } from './fetched-batch.js';
import { decodeQuickly } from './kafkajs.js';
import { type OffsetRange, ReadingPositions } from './lost-offsets.js';
import { logicalTopic, physicalGroup, physicalTopic } from './names.js';
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
  /** How long the broker may hold back a fetch that finds nothing; 100 ms unless given. Longer is cheaper, and later. */
  readonly fetchWaitMs?: number;
}

/** What happens to a session, until it has ended. Called synchronously. */
export interface SessionEvents {
  joined(partitions: readonly TopicPartition[]): void;
  rebalancing(): void;
  /** Reading did not go on where it should have. Answers whether it may go on; if not, the same comes again. */
  leftOut(offsets: OffsetRange): Promise<boolean>;
  received(batch: PartitionBatch): boolean;
}

const HEARTBEAT_MS = 1_000;
/** Bounds how long a resumed partition waits for a fetch that is already under way. */
const FETCH_WAIT_MS = 100;
/** Longer than kafkajs's own longest pause between two tries. */
const STALLED_MS = 120_000;
const WATCH_MS = 5_000;
/** A broker that does not answer must not hold up the next session. */
const DISCONNECT_MS = 10_000;

/** One kafkajs consumer, from connecting until it crashes, stalls or is ended. */
export class GroupSession {
  private readonly consumer: Consumer;
  private readonly over = Promise.withResolvers<unknown>();
  /** Whose functions act on the session as it is now, whichever batch they came with. */
  private lastPayload: Pick<EachBatchPayload, 'commitOffsetsIfNecessary'> | undefined;
  private readonly positions = new ReadingPositions();
  private readonly sessionTimeoutMs: number;
  private lastSign = Date.now();
  private ended = false;
  /** kafkajs refuses the calls below before it has joined and after it has stopped; then there is nothing to steer either. */
  private steerable = false;

  constructor(
    kafka: Kafka,
    private readonly options: GroupSessionOptions,
    private readonly events: SessionEvents,
  ) {
    decodeQuickly();
    this.sessionTimeoutMs = options.sessionTimeoutMs ?? 10_000;
    this.consumer = kafka.consumer({
      groupId: physicalGroup(options.namespace, options.group),
      partitionAssigners: [subscriptionAssigner],
      sessionTimeout: this.sessionTimeoutMs,
      rebalanceTimeout: 60_000,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: options.fetchWaitMs ?? FETCH_WAIT_MS,
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

  /** False when the broker has heard nothing for so long that it gives the partitions to others. */
  get heard(): boolean {
    return Date.now() - this.lastSign < this.sessionTimeoutMs;
  }

  /** Runs the session. Resolves with why it ended: what {@link end} was called with, or the error that ended it. */
  async run(): Promise<unknown> {
    const watch = setInterval(() => this.live || this.end(new Error(`no sign of life from kafkajs for ${STALLED_MS} ms`)), WATCH_MS);
    const begun = this.begin().catch((error: unknown) => this.end(error));
    const reason = await this.over.promise;
    clearInterval(watch);
    // Not before it has begun: kafkajs could never be stopped again.
    await atMost(
      DISCONNECT_MS,
      begun.then(() => this.disconnect()),
    );
    return reason;
  }

  /** Nothing happens in the session any more. */
  end(reason?: unknown): void {
    this.ended = true;
    this.over.resolve(reason);
  }

  /** The next fetch of the partition begins there. */
  seek({ topic, partition }: TopicPartition, offset: number): void {
    if (!this.steerable) return;
    this.positions.goOnAt({ topic, partition }, offset);
    this.consumer.seek({ topic: this.physical(topic), partition, offset: String(offset) });
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

  private async begin(): Promise<void> {
    await this.consumer.connect();
    if (!this.ended) await this.consumer.subscribe({ topics: this.options.topics.map(this.physical), fromBeginning: true });
    if (this.ended) return;
    await this.consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async (payload) => this.receive(payload) });
  }

  private async disconnect(): Promise<void> {
    await this.consumer.disconnect().catch((error: unknown) => this.options.logger.warn({ err: error }, 'leaving the group failed'));
  }

  private listen(): void {
    const { consumer, events } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => this.joined(payload.memberAssignment));
    consumer.on(consumer.events.REBALANCING, () => this.ended || events.rebalancing());
    consumer.on(consumer.events.STOP, () => void (this.steerable = false));
    consumer.on(consumer.events.CRASH, ({ payload }) => this.end(payload.error));
    consumer.on(consumer.events.FETCH_START, () => this.sign());
    consumer.on(consumer.events.HEARTBEAT, () => this.sign());
  }

  private joined(assignment: Record<string, number[]>): void {
    if (this.ended) return;
    this.sign();
    this.steerable = true;
    this.positions.forget();
    // kafkajs keeps pauses over assignments: a partition that comes back would stay silent.
    this.consumer.resume(this.options.topics.map((topic) => ({ topic: this.physical(topic) })));
    this.consumer.pause(Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions })));
    const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic: this.logical(topic), partition })),
    );
    this.events.joined(partitions);
  }

  private async receive(payload: EachBatchPayload): Promise<void> {
    this.lastPayload = payload;
    const last = payload.batch.messages.at(-1);
    if (last === undefined) return;
    const batch = toPartitionBatch(this.options.namespace, payload.batch);
    if (!(await this.isNext(batch, fetchedFrom(payload.batch)))) return;
    if (this.ended || payload.isStale() || !this.events.received(batch)) return;
    this.positions.goOnAt(batch, batch.nextOffset);
    payload.resolveOffset(last.offset);
  }

  private async isNext(batch: PartitionBatch, from: number): Promise<boolean> {
    const leftOut = this.positions.leftOut(batch, from);
    if (!leftOut) return true;
    if (!(await this.events.leftOut(leftOut))) return false;
    this.positions.goOnAt(batch, leftOut.to);
    return true;
  }

  private sign(): void {
    this.lastSign = Date.now();
  }

  private readonly physical = (topic: string): string => physicalTopic(this.options.namespace, topic);
  private readonly logical = (topic: string): string => logicalTopic(this.options.namespace, topic)!;
}
