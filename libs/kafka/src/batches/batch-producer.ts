import type { Producer } from '@platformatic/kafka';
import { classifyKafkaError, kafkaErrorReason, KafkaSendError } from '../kafka-error.js';
import { connectProducer, CONNECT_MS, type KafkaProducerOptions, REQUEST_MS } from '../producer-client.js';
import { BatchBuffers } from './batch-buffers.js';
import { ProduceConnection } from './produce-connection.js';
import type { KafkaModule, PartitionAnswer } from './produce-request.js';
import { hasLostIdentity, ProducerIdentity, wasWrittenBefore } from './producer-identity.js';
import { RecordBatch } from './record-batch.js';
import { TopicLeaders } from './topic-leaders.js';

/** A batch that is not known to be written. */
export interface FailedBatch {
  readonly batch: RecordBatch;
  readonly error: KafkaSendError;
}

/** Far above any topic's limit; a request over `socket.request.max.bytes` (100 MiB) would look like a broker that is down. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Produces batches that the caller has written itself, with acks=all and, against repetitions, the sequence numbers of an
 * idempotent producer. It never sends again by itself: whoever knows what comes next repeats (docs/adr/0010-own-record-batches.md).
 */
export class BatchProducer {
  private readonly buffers = new BatchBuffers();
  private readonly leaders: TopicLeaders;
  private readonly connections = new Map<number, ProduceConnection>();
  private identity: ProducerIdentity | undefined;
  private sending: Promise<unknown> = Promise.resolve();
  private closed = false;

  private constructor(
    private readonly kafka: KafkaModule,
    private readonly client: Producer<Buffer, Buffer, Buffer, Buffer>,
  ) {
    this.leaders = new TopicLeaders(client);
  }

  /** @throws what classifyKafkaError calls an `outage` when no broker answers */
  static async connect(options: KafkaProducerOptions): Promise<BatchProducer> {
    const { kafka, client } = await connectProducer(options);
    return new BatchProducer(kafka, client);
  }

  /** How many partitions the topic has; undefined until {@link learn} has asked for it. */
  partitionsOf(topic: string): number | undefined {
    return this.leaders.partitionsOf(topic);
  }

  /** Asks the brokers about a topic. @throws KafkaSendError */
  async learn(topic: string): Promise<void> {
    try {
      await this.leaders.learn(topic);
    } catch (error) {
      throw sendError(topic, error);
    }
  }

  /** An empty batch. Release it when it is accepted. */
  open(topic: string, partition: number): RecordBatch {
    return new RecordBatch(topic, partition, this.buffers);
  }

  /**
   * Sends at most one batch for each partition, and resolves when every broker has answered or failed to. A send begins when the one
   * before it has ended.
   *
   * @returns what is not known to be written. Send exactly these again before anything else of their partitions.
   */
  send(batches: readonly RecordBatch[]): Promise<readonly FailedBatch[]> {
    const sent = this.sending.then(() => this.sendNow(batches));
    this.sending = sent.catch(() => {}); // told to whoever has sent it
    return sent;
  }

  private async sendNow(batches: readonly RecordBatch[]): Promise<readonly FailedBatch[]> {
    const placed = await Promise.all(batches.map((batch) => this.place(batch)));
    const groups = Map.groupBy(
      placed.filter((place) => place.error === undefined),
      ({ leader }) => leader!,
    );
    const answered = await this.sendGroups(new Map([...groups].map(([leader, group]) => [leader, group.map(({ batch }) => batch)])));
    const failed = [...placed.filter((place): place is FailedBatch & typeof place => place.error !== undefined), ...answered];
    for (const { batch } of failed) this.leaders.doubt(batch.topic);
    return failed.map(({ batch, error }) => ({ batch, error }));
  }

  /** What is in flight fails, and what is sent afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    for (const connection of this.connections.values()) connection.close();
    await this.client.close();
  }

  private async place(batch: RecordBatch): Promise<{ batch: RecordBatch; leader?: number; error?: KafkaSendError }> {
    if (batch.size > LARGEST_BYTES)
      return { batch, error: new KafkaSendError('refused', [batch.topic], `${batch.size} bytes fit no request`) };
    try {
      return { batch, leader: await this.leaders.leaderOf(batch) };
    } catch (error) {
      return { batch, error: sendError(batch.topic, error) };
    }
  }

  private async sendGroups(groups: ReadonlyMap<number, readonly RecordBatch[]>): Promise<FailedBatch[]> {
    const batches = [...groups.values()].flat();
    try {
      const identity = await this.identityFor(batches, [...groups.keys()]);
      return (await Promise.all([...groups].map(([leader, group]) => this.sendTo(leader, group, identity)))).flat();
    } catch (error) {
      return batches.map((batch) => ({ batch, error: sendError(batch.topic, error) }));
    }
  }

  private async sendTo(leader: number, batches: readonly RecordBatch[], identity: ProducerIdentity): Promise<FailedBatch[]> {
    try {
      const connection = await this.connectionTo(leader);
      const sealed = new Map(batches.map((batch) => [batch, batch.seal(identity.sequenceOf(batch), Date.now(), this.kafka.crc32c)]));
      const answers = await connection.produce(sealed, REQUEST_MS.broker);
      return batches.flatMap((batch) => this.settle(identity, batch, answers));
    } catch (error) {
      this.connections.get(leader)?.close();
      this.connections.delete(leader);
      for (const batch of batches) identity.doubt(batch);
      return batches.map((batch) => ({ batch, error: sendError(batch.topic, error) }));
    }
  }

  private settle(identity: ProducerIdentity, batch: RecordBatch, answers: readonly PartitionAnswer[]): FailedBatch[] {
    const answer = answers.find(({ topic, partition }) => topic === batch.topic && partition === batch.partition);
    if (answer?.code === 0 || (answer && wasWrittenBefore(answer.code))) {
      identity.accepted(batch);
      return [];
    }
    if (answer && hasLostIdentity(answer.code)) this.identity = undefined;
    const error = sendError(batch.topic, answer ? new this.kafka.ProtocolError(answer.code, answer.message) : new Error(NOT_ANSWERED));
    if (error.kind !== 'refused') identity.doubt(batch);
    return [{ batch, error }];
  }

  private async connectionTo(leader: number): Promise<ProduceConnection> {
    const known = this.connections.get(leader);
    if (known?.isOpen) return known;
    if (this.closed) throw new this.kafka.NetworkError('the producer is closed');
    const opened = await ProduceConnection.open(this.kafka, this.leaders.addressOf(leader), {
      clientId: this.client.clientId,
      connectMs: CONNECT_MS,
      answerMs: REQUEST_MS.answer,
    });
    this.connections.set(leader, opened);
    if (this.closed) opened.close();
    return opened;
  }

  /** One for all: two would not know what the other has sent. @throws what every one of the brokers answered */
  private async identityFor(batches: readonly RecordBatch[], brokers: readonly number[]): Promise<ProducerIdentity> {
    const known = this.identity;
    if (known !== undefined && batches.every((batch) => known.fits(batch))) return known;
    return (this.identity = await Promise.any(brokers.map((broker) => this.identify(broker))));
  }

  private async identify(broker: number): Promise<ProducerIdentity> {
    const connection = (await this.client.connectToBrokers([broker])).get(broker);
    if (connection === undefined) throw new this.kafka.NetworkError(`Broker ${broker} is not in the cluster.`);
    const { producerId, producerEpoch } = await this.kafka.initProducerIdV4.api.async(connection, null, REQUEST_MS.broker);
    return new ProducerIdentity({ producerId, producerEpoch });
  }
}

const NOT_ANSWERED = 'the broker answered without this partition';

function sendError(topic: string, error: unknown): KafkaSendError {
  return new KafkaSendError(classifyKafkaError(error), [topic], kafkaErrorReason(error), { cause: error });
}
