import type { Producer } from '@platformatic/kafka';
import { ASK_ANOTHER } from '../producer-client.js';
import type { BrokerAddress } from './produce-connection.js';
import type { RecordBatch } from './record-batch.js';

type Client = Pick<Producer<Buffer, Buffer, Buffer, Buffer>, 'metadata'>;

interface Topic {
  readonly leaders: readonly number[];
  readonly askedAt: number;
}

/** Partitions may be added, and the Java client notices it after this long too. */
const FRESH_MS = 300_000;

/** Which broker leads each partition. Asked again after a failure, and from time to time. */
export class TopicLeaders {
  private readonly topics = new Map<string, Topic>();
  private readonly doubted = new Set<string>();
  private brokers: ReadonlyMap<number, BrokerAddress> = new Map();

  constructor(private readonly client: Client) {}

  partitionsOf(topic: string): number | undefined {
    return this.topics.get(topic)?.leaders.length;
  }

  /** @throws what the brokers answered, e.g. that there is no such topic */
  async learn(topic: string): Promise<Topic> {
    const { topics, brokers } = await this.client.metadata({ topics: [topic], forceUpdate: true, ...ASK_ANOTHER });
    this.brokers = brokers;
    const partitions = topics.get(topic)?.partitions;
    if (partitions === undefined) throw new Error(`the brokers say nothing of topic ${topic}`);
    const learned = { leaders: Array.from(partitions, ({ leader }) => leader), askedAt: Date.now() };
    this.topics.set(topic, learned);
    this.doubted.delete(topic);
    return learned;
  }

  /** What is known of the topic may be wrong: it is asked for before the next send. */
  doubt(topic: string): void {
    this.doubted.add(topic);
  }

  /** @throws what {@link learn} throws */
  async leaderOf({ topic, partition }: RecordBatch): Promise<number> {
    const known = this.topics.get(topic);
    const fresh = known !== undefined && !this.doubted.has(topic) && Date.now() - known.askedAt < FRESH_MS;
    const { leaders } = fresh ? known : await this.learn(topic);
    const leader = leaders[partition];
    if (leader === undefined) throw new PartitionGoneError(topic, partition, leaders.length);
    return leader;
  }

  /** @param leader one that {@link leaderOf} has told @throws LeaderlessError */
  addressOf(leader: number): BrokerAddress {
    const address = this.brokers.get(leader);
    if (address === undefined) throw new LeaderlessError(leader);
    return address;
  }
}

/** The topic was made again, with fewer partitions: what is in the batch has to be placed anew. */
export class PartitionGoneError extends Error {
  constructor(topic: string, partition: number, partitions: number) {
    super(`there is no partition ${partition}: topic ${topic} has ${partitions}`);
    this.name = 'PartitionGoneError';
  }
}

/** The partition has no leader at the moment, or one that has just left. */
export class LeaderlessError extends Error {
  readonly apiId = 'LEADER_NOT_AVAILABLE';
  constructor(leader: number) {
    super(leader === -1 ? 'the partition has no leader' : `its leader, broker ${leader}, is not in the cluster`);
    this.name = 'LeaderlessError';
  }
}
