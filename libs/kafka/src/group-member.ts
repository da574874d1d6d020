import type { Kafka } from 'kafkajs';
import { atMost } from './at-most.js';
import { connectKafka } from './connect.js';
import type { TopicPartition } from './consumed-record.js';
import { askGroupOffsets, type PartitionOffsets } from './group-offsets.js';
import type { GroupWork, MemberState } from './group-work.js';
import { GroupSession, type GroupSessionOptions } from './group-session.js';
import { type OffsetRange, tellIfExpired } from './lost-offsets.js';
import { logicalTopic, physicalTopic } from './names.js';
import { OffsetCommitter, type OffsetToCommit } from './offset-committer.js';
import { TopicWatch } from './topic-watch.js';
import { unlessAborted } from './unless-aborted.js';
import { waitOrAbort } from './wait-or-abort.js';

export type { GroupWork, MemberState } from './group-work.js';

export interface GroupMemberOptions extends GroupSessionOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly clientId: string;
  /** How often it looks whether its topics are still there and the same ones; 10 s unless given. */
  readonly topicWatchMs?: number;
  /** Records that expire unread are no loss: nothing is said of them. */
  readonly expiryIsHarmless?: boolean;
}

/** For some 3 s: then the session ends, and its member is seen not to read while it looks for the broker. */
const SESSION_RETRIES = 4;
/** A session has tried for some seconds before it ends, so the pause on top of that stays short. */
const REJOIN_MS = { first: 1_000, most: 10_000 };
/** A broker that does not answer must not hold up the end of the process: so long at most for each of committing and leaving. */
const LEAVE_MS = 2_000;
const TOPIC_WATCH_MS = 10_000;

/**
 * This process as a member of a consumer group, for as long as it lives: whatever ends the membership, it joins again.
 * Work happens outside: kafkajs only fetches and heartbeats, so a slow handler neither loses the membership nor stops
 * other partitions.
 */
export class GroupMember {
  private readonly kafka: Kafka;
  private readonly committer: OffsetCommitter;
  private readonly topics: TopicWatch;
  private session: GroupSession | undefined;
  private current: Exclude<MemberState, 'incomplete'> = 'joining';
  /** Topics (logical names) that do not exist: nothing of them is read. */
  missingTopics: readonly string[] = [];
  private readonly leaving = new AbortController();
  private supervised: Promise<void> | undefined;

  constructor(
    private readonly options: GroupMemberOptions,
    private readonly work: GroupWork,
  ) {
    this.kafka = connectKafka({ ...options, retries: SESSION_RETRIES });
    this.committer = new OffsetCommitter(async (offsets) => this.session?.commit(offsets), options.logger);
    const topics = options.topics.map((topic) => physicalTopic(options.namespace, topic));
    this.topics = new TopicWatch({ ...options, topics });
  }

  get state(): MemberState {
    if (this.current !== 'joined') return this.current;
    if (this.session?.heard !== true) return 'waiting';
    return this.missingTopics.length > 0 ? 'incomplete' : 'joined';
  }

  /** False only when the member should do something and does nothing: a reason to restart the process. */
  get live(): boolean {
    return this.current !== 'joined' || this.session?.live === true;
  }

  /** Returns at once; joins in the background, for as long as it takes. */
  start(): void {
    this.supervised ??= this.supervise();
  }

  /** Commits what is done and leaves, so that the others take over at once. Takes 4 s at most. */
  async leave(): Promise<void> {
    if (this.leaving.signal.aborted) return this.supervised;
    await atMost(LEAVE_MS, this.committer.flush());
    this.leaving.abort();
    this.session?.end();
    await atMost(LEAVE_MS, Promise.all([this.supervised, this.topics.close()]));
    this.committer.clear();
    this.current = 'left';
  }

  /** The next fetch of the partition begins there. */
  seek(partition: TopicPartition, offset: number): void {
    this.session?.seek(partition, offset);
  }

  pause(partition: TopicPartition): void {
    this.session?.pause(partition);
  }

  resume(partition: TopicPartition): void {
    this.session?.resume(partition);
  }

  /** Commits in the background, together with what else is done meanwhile. Does nothing after the assignment is lost. */
  commit(offset: OffsetToCommit): void {
    if (this.current === 'joined') this.committer.note(offset);
  }

  /** What Kafka knows of every partition of the group's topics, but for {@link missingTopics}. @throws when it cannot be asked, and after {@link leave} */
  fetchOffsets(): Promise<PartitionOffsets[]> {
    const topics = this.options.topics.filter((topic) => !this.missingTopics.includes(topic));
    return unlessAborted(askGroupOffsets(this.kafka, { ...this.options, topics }), this.leaving.signal);
  }

  private async supervise(): Promise<void> {
    let pause = REJOIN_MS.first;
    while (!this.leaving.signal.aborted) {
      const began = Date.now();
      const reason = await this.oneSession().catch((error: unknown) => error);
      if (this.leaving.signal.aborted) return;
      if (Date.now() - began > REJOIN_MS.most) pause = REJOIN_MS.first;
      this.current = 'waiting';
      this.options.logger.error({ err: reason, nextTryInMs: pause }, `group ${this.options.group} is not connected; it tries again`);
      await waitOrAbort(pause, this.leaving.signal);
      pause = Math.min(pause * 2, REJOIN_MS.most);
    }
  }

  /** @returns why it ended. @throws when it could not begin */
  private async oneSession(): Promise<unknown> {
    this.current = 'joining';
    const topics = await this.findTopics();
    const session: GroupSession = new GroupSession(
      this.kafka,
      { ...this.options, topics },
      {
        joined: (partitions) => this.joined(partitions),
        rebalancing: () => this.lost(),
        leftOut: (offsets) => this.leftOut(offsets),
        received: (batch) => this.current === 'joined' && this.work.received(batch),
      },
    );
    this.session = session;
    this.topics.start(this.options.topicWatchMs ?? TOPIC_WATCH_MS, (changed) => session.end(changed));
    const reason = await session.run();
    this.topics.stop();
    this.lost();
    return reason;
  }

  private async findTopics(): Promise<string[]> {
    const { group, namespace, topics, logger } = this.options;
    const found = (await this.topics.find(this.leaving.signal)).map((topic) => logicalTopic(namespace, topic)!);
    this.missingTopics = topics.filter((topic) => !found.includes(topic));
    if (found.length === 0) throw new Error(`none of its topics exists: ${topics.join(', ')}`);
    if (this.missingTopics.length > 0)
      logger.error(
        { topics: this.missingTopics },
        `group ${group} reads without topics that do not exist: ${this.missingTopics.join(', ')}`,
      );
    return found;
  }

  private async leftOut(offsets: OffsetRange): Promise<boolean> {
    const { group, logger, expiryIsHarmless } = this.options;
    if (expiryIsHarmless) return true;
    try {
      await tellIfExpired(offsets, { group, logger, fetchOffsets: () => this.fetchOffsets() });
      return true;
    } catch (error) {
      logger.warn(
        { ...offsets, err: error },
        'offsets were left out, and Kafka cannot say yet whether they are lost; the same records come again',
      );
      return false;
    }
  }

  private joined(partitions: readonly TopicPartition[]): void {
    this.committer.clear();
    if (this.leaving.signal.aborted) return;
    this.current = 'joined';
    this.work.assigned(partitions);
  }

  private lost(): void {
    this.current = 'joining';
    this.committer.clear();
    this.work.revoked();
  }
}
