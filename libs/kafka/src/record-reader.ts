import { randomUUID } from 'node:crypto';
import type { Consumer } from '@platformatic/kafka';
import type { ConsumedRecord, TopicPartition } from './consumed-record.js';
import type { RawHeaders } from './headers.js';
import { physicalTopic } from './names.js';

/** Some records of one partition, from where they were asked for. */
export interface RecordPage {
  /** In the order of their offsets; empty at the end of the partition. */
  readonly records: readonly ConsumedRecord[];
  /** Where reading goes on. */
  readonly nextOffset: number;
}

export interface RecordReaderOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly namespace: string;
  readonly clientId: string;
}

type Client = Consumer<Buffer, Buffer, Buffer, Buffer>;
type FetchResponse = Awaited<ReturnType<Client['fetch']>>;
type Batch = NonNullable<FetchResponse['responses'][number]['partitions'][number]['records']>[number];

const MAX_BYTES = 1_048_576;
/** Bits of a record batch's attributes: written by Kafka about transactions, not by a producer; and whose clock its records have. */
const CONTROL = 0b100000;
const BROKER_TIME = 0b1000;

/**
 * Looks at records without being a member of any group: nothing is committed, no member is disturbed. For operators' commands.
 * Records of transactions that were aborted are not among them. One read at a time: the broker keeps track of what it gave.
 */
export class RecordReader {
  private constructor(
    private readonly client: Client,
    private readonly namespace: string,
  ) {}

  /** @throws when no broker answers */
  static async connect({ brokers, namespace, clientId }: RecordReaderOptions): Promise<RecordReader> {
    // Loading it takes half a second of CPU, and most commands read no records.
    const { Consumer: Kafka } = await import('@platformatic/kafka');
    const client = new Kafka<Buffer, Buffer, Buffer, Buffer>({
      clientId,
      groupId: `${clientId}-${randomUUID()}`, // it never joins; the client wants a name
      bootstrapBrokers: brokers.split(','),
      retries: 3,
      connectTimeout: 5_000,
      requestTimeout: 10_000,
    });
    return new RecordReader(client, namespace);
  }

  /**
   * Reads about 1 MiB from `offset` on, which must lie between the partition's first offset and its end.
   *
   * @param options.atLeastOne is content with the first records that there are
   * @throws when the topic or the offset is not there, or no broker answers
   */
  async read(
    { topic, partition }: TopicPartition,
    offset: number,
    { atLeastOne = false }: { atLeastOne?: boolean } = {},
  ): Promise<RecordPage> {
    const maxBytes = atLeastOne ? 1 : MAX_BYTES; // the broker gives one batch whatever its size
    const name = physicalTopic(this.namespace, topic);
    this.client.topics.track(name);
    const { topics } = await this.client.metadata({ topics: this.client.topics.current });
    const { id, partitions } = topics.get(name)!;
    const place = { partition, currentLeaderEpoch: -1, fetchOffset: BigInt(offset), lastFetchedEpoch: -1, partitionMaxBytes: maxBytes };
    const response = await this.client.fetch({
      node: partitions[partition]!.leader,
      topics: [{ topicId: id, partitions: [place] }],
      minBytes: 0, // what is there is there already: nothing to wait for
      maxBytes,
      maxWaitTime: 0,
    });
    return this.toPage({ topic, partition }, offset, response);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private toPage(place: TopicPartition, offset: number, { responses }: FetchResponse): RecordPage {
    const batches = responses.flatMap(({ partitions }) => partitions).flatMap(({ records }) => records ?? []);
    // A batch is given whole, also when it began before what was asked for.
    const records = batches.flatMap((batch) => recordsOf(batch, place)).filter((record) => record.offset >= offset);
    const nextOffset = batches.reduce((next, batch) => Math.max(next, Number(batch.firstOffset) + batch.lastOffsetDelta + 1), offset);
    return { records, nextOffset };
  }
}

function recordsOf(batch: Batch, place: TopicPartition): ConsumedRecord[] {
  if ((batch.attributes & CONTROL) !== 0) return [];
  const timestampOf = (delta: bigint) => Number((batch.attributes & BROKER_TIME) === 0 ? batch.firstTimestamp + delta : batch.maxTimestamp);
  return batch.records.map(({ offsetDelta, timestampDelta, key, value, headers }) => ({
    ...place,
    offset: Number(batch.firstOffset) + offsetDelta,
    timestamp: timestampOf(timestampDelta),
    key,
    value,
    headers: toHeaders(headers),
  }));
}

/** Every header is an own property, also one whose name is that of a property of all objects. */
function toHeaders(entries: readonly [Buffer | null, Buffer | null][]): RawHeaders {
  const headers = new Map<string, Buffer | null | (Buffer | null)[]>();
  for (const [name, value] of entries) {
    const text = name?.toString() ?? '';
    const before = headers.get(text);
    headers.set(text, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  return Object.fromEntries(headers);
}
