import { setTimeout as delay } from 'node:timers/promises';
import { classifyKafkaError, type KafkaErrorKind, KafkaProducer, type KafkaProducerOptions, type ProducerRecord } from '@shopflow/kafka';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Told of every failed attempt. `record` is the one that Kafka refuses by itself: the source is blocked by it. */
export type OnSendFailure = (failure: { kind: KafkaErrorKind; error: Error; record: ProducerRecord | undefined }) => void;

/**
 * Sends until Kafka has accepted everything, in the order given, for as long as it takes: after a failure the same records
 * again, and nothing of what follows before that. So no later event of a key is ever written before an earlier one was.
 */
export class SendInOrder {
  private producer: KafkaProducer | undefined;

  constructor(
    private readonly options: KafkaProducerOptions,
    private readonly onFailure: OnSendFailure,
  ) {}

  /** @throws the signal's reason when it aborts first; what was accepted until then is not known */
  async send(records: readonly ProducerRecord[], signal: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      signal.throwIfAborted();
      const failure = await this.attempt(records);
      if (failure === undefined) return;
      const kind = classifyKafkaError(failure);
      if (kind === 'refused' && records.length > 1) return this.sendHalves(records, signal);
      this.onFailure({ kind, error: failure, record: kind === 'refused' ? records[0] : undefined });
      await delay(pause, undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await this.producer?.close();
    this.producer = undefined;
  }

  private async attempt(records: readonly ProducerRecord[]): Promise<Error | undefined> {
    try {
      this.producer ??= await KafkaProducer.connect(this.options);
      await this.producer.send(records);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Something in there is refused: what stands before it is published, and then it is known which record it is. */
  private async sendHalves(records: readonly ProducerRecord[], signal: AbortSignal): Promise<void> {
    const middle = records.length >> 1;
    await this.send(records.slice(0, middle), signal);
    await this.send(records.slice(middle), signal);
  }
}
