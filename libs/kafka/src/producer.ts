import type { Producer } from '@platformatic/kafka';
import { classifyKafkaError, kafkaErrorReason, KafkaSendError } from './kafka-error.js';
import { toMessages, type Message } from './produce-message.js';
import { ASK_ANOTHER, connectProducer, type KafkaProducerOptions } from './producer-client.js';
import type { ProducerRecord } from './producer-record.js';
import { splitIntoWaves } from './split-into-waves.js';

/**
 * Produces with acks=all and the Java client's partitions. It never sends again by itself: a repetition that overtakes
 * or is overtaken would change the order, so whoever knows what comes next repeats (docs/adr/0002-two-kafka-clients.md).
 */
export class KafkaProducer {
  private constructor(
    private readonly client: Producer<Buffer, Buffer, Buffer, Buffer>,
    /** Given with each send: the client forgets what it is made with. */
    private readonly acks: number,
  ) {}

  /** @throws what classifyKafkaError calls an `outage` when no broker answers */
  static async connect(options: KafkaProducerOptions): Promise<KafkaProducer> {
    const { kafka, client } = await connectProducer(options);
    return new KafkaProducer(client, kafka.ProduceAcks.ALL);
  }

  /**
   * Resolves when the brokers have accepted every record; records of one key are written in the order given. At most
   * 512 kB go to a partition in one request, so a hot key does not exceed the topic's batch limit.
   *
   * @throws KafkaSendError when some were not accepted; some may have been. Send all of them again before anything else
   *   of their keys, and never two sends with the same key at once.
   */
  async send(records: readonly ProducerRecord[]): Promise<void> {
    if (records.length === 0) return;
    const topics = [...new Set(records.map((record) => record.topic))];
    try {
      const { topics: known } = await this.client.metadata({ topics, ...ASK_ANOTHER });
      const messages = toMessages(records, (topic) => known.get(topic)?.partitionsCount ?? 1);
      refuseOversized(messages);
      for (const wave of splitIntoWaves(messages)) await this.client.send({ messages: wave, acks: this.acks });
    } catch (error) {
      if (error instanceof KafkaSendError) throw error;
      throw new KafkaSendError(classifyKafkaError(error), topics, kafkaErrorReason(error), { cause: error });
    }
  }

  /** Waits for what is in flight no longer than the requests themselves take. */
  async close(): Promise<void> {
    await this.client.close();
  }
}

/** Far above any topic's limit; a request over `socket.request.max.bytes` (100 MiB) would look like a broker that is down. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

function refuseOversized(messages: readonly Message[]): void {
  for (const { topic, bytes } of messages) {
    if (bytes > MAX_RECORD_BYTES) throw new KafkaSendError('refused', [topic], `a record of ${bytes} bytes fits no request`);
  }
}
