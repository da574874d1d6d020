import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchProducer,
  classifyKafkaError,
  kafkaErrorReason,
  type KafkaProducerOptions,
  KafkaSendError,
  PartitionGoneError,
  type RecordBatch,
} from '@shopflow/kafka/producing';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export interface SenderListener {
  /** An attempt has failed; the next one is due within two seconds. */
  failed(error: KafkaSendError): void;
  /** After failures Kafka has answered: it has accepted what was sent, or refused it for what it is. */
  recovered(): void;
}

export type ConnectProducer = (
  options: KafkaProducerOptions,
) => Promise<Pick<BatchProducer, 'partitionsOf' | 'open' | 'learn' | 'send' | 'close'>>;

/** A batch that Kafka refuses for what is in it. */
export interface RefusedBatch {
  readonly batch: RecordBatch;
  readonly reason: string;
}

/**
 * Sends until Kafka has accepted or refused everything, for as long as it takes: after a failure the same batches again, and nothing
 * else of their partitions before that. So no later event of a key is ever written before an earlier one was.
 */
export class Sender {
  private producer: Awaited<ReturnType<ConnectProducer>> | undefined;

  constructor(
    private readonly options: KafkaProducerOptions,
    private readonly listener: SenderListener,
    private readonly connect: ConnectProducer = (given) => BatchProducer.connect(given),
  ) {}

  /** Undefined until {@link learn} has asked for it. */
  partitionsOf(topic: string): number | undefined {
    return this.producer?.partitionsOf(topic);
  }

  /** @param topic one that is known */
  open(topic: string, partition: number): RecordBatch {
    return this.producer!.open(topic, partition);
  }

  /** Waits for the brokers, and for the topic to be there. @throws an AbortError when the signal aborts first */
  async learn(topic: string, signal: AbortSignal): Promise<void> {
    await this.untilDone(signal, async () => {
      try {
        this.producer ??= await this.connect(this.options);
        await this.producer.learn(topic);
        return undefined;
      } catch (error) {
        return error instanceof KafkaSendError
          ? error
          : new KafkaSendError(classifyKafkaError(error), [topic], kafkaErrorReason(error), { cause: error });
      }
    });
  }

  /**
   * @returns what is refused; all else is accepted
   * @throws an AbortError when the signal aborts first, and a KafkaSendError when a batch is of a partition that is no more; what was
   *   accepted until then is not known
   */
  async send(batches: readonly RecordBatch[], signal: AbortSignal): Promise<readonly RefusedBatch[]> {
    const refused: RefusedBatch[] = [];
    let left = batches;
    await this.untilDone(signal, async () => {
      if (left.length === 0) return undefined;
      const failed = await this.producer!.send(left);
      for (const { batch, error } of failed) if (error.kind === 'refused') refused.push({ batch, reason: error.message });
      const gone = failed.find(({ error }) => error.cause instanceof PartitionGoneError);
      if (gone !== undefined) throw gone.error;
      const again = failed.filter(({ error }) => error.kind !== 'refused');
      left = again.map(({ batch }) => batch);
      return again[0]?.error;
    });
    return refused;
  }

  async close(): Promise<void> {
    await this.producer?.close();
    this.producer = undefined;
  }

  private async untilDone(signal: AbortSignal, attempt: () => Promise<KafkaSendError | undefined>): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      signal.throwIfAborted();
      const failure = await attempt();
      if (failure === undefined) {
        if (pause > FIRST_PAUSE_MS) this.listener.recovered();
        return;
      }
      this.listener.failed(failure);
      await delay(pause, undefined, { signal });
    }
  }
}
