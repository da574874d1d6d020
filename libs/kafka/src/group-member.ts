import type { Kafka } from 'kafkajs';
import { connectKafka } from './connect.js';
import type { PartitionBatch, TopicPartition } from './consumed-record.js';
import { fetchGroupOffsets, type PartitionOffsets } from './group-offsets.js';
import { GroupSession, type GroupSessionOptions } from './group-session.js';
import { OffsetCommitter, type OffsetToCommit } from './offset-committer.js';
import { waitOrAbort } from './wait-or-abort.js';

export interface GroupMemberOptions extends GroupSessionOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly clientId: string;
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

/** For some 3 s: then the session ends, and its member is seen not to read while it looks for the broker. */
const SESSION_RETRIES = 4;
/** A session has tried for some seconds before it ends, so the pause on top of that stays short. */
const REJOIN_MS = { first: 1_000, most: 10_000 };
/** A broker that does not answer must not hold up the end of the process: so long at most for each of committing and leaving. */
const LEAVE_MS = 2_000;

/**
 * This process as a member of a consumer group, for as long as it lives: whatever ends the membership, it joins again.
 * Work happens outside: kafkajs only fetches and heartbeats, so a slow handler neither loses the membership nor stops
 * other partitions.
 */
export class GroupMember {
  private readonly kafka: Kafka;
  private readonly committer: OffsetCommitter;
  private session: GroupSession | undefined;
  private current: MemberState = 'joining';
  private readonly leaving = new AbortController();
  private supervised: Promise<void> | undefined;

  constructor(
    private readonly options: GroupMemberOptions,
    private readonly work: GroupWork,
  ) {
    this.kafka = connectKafka({ ...options, retries: SESSION_RETRIES });
    this.committer = new OffsetCommitter(async (offsets) => this.session?.commit(offsets), options.logger);
  }

  get state(): MemberState {
    return this.current;
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
    if (this.supervised) await atMost(LEAVE_MS, this.supervised);
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

  /** What Kafka knows of every partition of the group's topics. */
  async fetchOffsets(): Promise<PartitionOffsets[]> {
    const admin = this.kafka.admin({ retry: { retries: 2 } });
    await admin.connect();
    try {
      return await fetchGroupOffsets(admin, this.options);
    } finally {
      await admin.disconnect();
    }
  }

  private async supervise(): Promise<void> {
    let pause = REJOIN_MS.first;
    while (!this.leaving.signal.aborted) {
      const began = Date.now();
      const reason = await this.oneSession();
      if (this.leaving.signal.aborted) return;
      if (Date.now() - began > REJOIN_MS.most) pause = REJOIN_MS.first;
      this.current = 'waiting';
      this.options.logger.error({ err: reason, nextTryInMs: pause }, `group ${this.options.group} is not connected; it tries again`);
      await waitOrAbort(pause, this.leaving.signal);
      pause = Math.min(pause * 2, REJOIN_MS.most);
    }
  }

  private async oneSession(): Promise<unknown> {
    this.current = 'joining';
    const session: GroupSession = new GroupSession(this.kafka, this.options, {
      joined: (partitions) => this.joined(partitions),
      rebalancing: () => this.lost(),
      received: (batch) => this.current === 'joined' && this.work.received(batch),
    });
    this.session = session;
    const reason = await session.run();
    this.lost();
    return reason;
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

/** Gives up waiting, not the work. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, waitOrAbort(ms, done.signal)]).finally(() => done.abort());
}
