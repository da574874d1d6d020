import { classifyKafkaError, KafkaProducer, type ProducerRecord, unlessAborted } from '@shopflow/kafka';
import { closeProducer } from '../close-producer.js';
import { toRetryRecord } from './retry-record.js';
import { ensureRetryTopics, type RetryTopicsOptions } from './retry-topics.js';
import { delayOfTier, type DelaysMs, tierOf } from './tier.js';
import { WaitingRecords } from './waiting-records.js';
import type { WakeUp } from './wake-up.js';

export interface WakeUpsOptions extends RetryTopicsOptions {
  readonly delaysMs: DelaysMs;
  readonly clock: () => Date;
  /** How long {@link WakeUps.stop} may take; 2 s unless given. */
  readonly stopMs?: number;
}

/** A broker that does not answer must not hold up the end of the process: the sweeper finds what is not sent. */
const STOP_MS = 2_000;

/**
 * Writes the heads that wait into the retry topics, in the background. Losing one costs time, not events: the sweeper finds
 * its key. So nothing is sent twice or waited for, and of a flood that Kafka does not take only so much is kept.
 */
export class WakeUps {
  private readonly waiting = new WaitingRecords();
  private producer: KafkaProducer | undefined;
  private running: Promise<void> | undefined;
  private started = false;
  private stopped = false;
  private readonly givingUp = new AbortController();

  constructor(private readonly options: WakeUpsOptions) {}

  /** What was given before is sent now. Kafka is not asked before there is something to send. */
  start(): void {
    this.started = true;
    this.run();
  }

  /**
   * Call it after the transaction that holds them has committed. Returns at once. A head that is due later than its tier's
   * delay gets no record: it would pause its retry partition for everyone.
   */
  wake(wakeUps: readonly WakeUp[]): void {
    if (this.stopped) return;
    const now = this.options.clock().getTime();
    for (const wakeUp of wakeUps) if (this.isInTime(wakeUp, now)) this.add(toRetryRecord(wakeUp, this.options));
    this.run();
  }

  /** Sends what waits. Takes `stopMs` at most. */
  async stop(): Promise<void> {
    this.stopped = true;
    const { stopMs = STOP_MS } = this.options;
    const patience = setTimeout(() => this.givingUp.abort(new Error(`Kafka has not answered within ${stopMs} ms`)), stopMs);
    await this.running;
    await this.disconnect();
    clearTimeout(patience);
  }

  private isInTime(wakeUp: WakeUp, now: number): boolean {
    return wakeUp.dueAt.getTime() <= now + delayOfTier(this.options.delaysMs, tierOf(wakeUp));
  }

  private add(record: ProducerRecord): void {
    if (this.waiting.add(record) === 'first refusal') {
      const fields = { group: this.options.group, waiting: this.waiting.length };
      this.options.logger.warn(fields, 'more wake-ups than Kafka takes: the rest is dropped, and the sweeper finds their keys');
    }
  }

  private run(): void {
    if (!this.started || this.waiting.length === 0) return;
    this.running ??= this.sendAll().finally(() => (this.running = undefined));
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const records = this.waiting.take();
      try {
        await unlessAborted(this.send(records), this.givingUp.signal);
      } catch (error) {
        const dropped = records.length + this.waiting.clear();
        const fields = { group: this.options.group, dropped, err: error };
        this.options.logger.warn(fields, 'sending wake-ups failed: they are dropped, and the sweeper finds their keys');
        await this.disconnect();
      }
    }
  }

  private async send(records: readonly ProducerRecord[]): Promise<void> {
    const producer = await this.connect();
    try {
      await producer.send(records);
    } catch (error) {
      if (classifyKafkaError(error) !== 'refused') throw error;
      await this.sendEach(producer, records);
    }
  }

  /** One that Kafka refuses does not take the rest with it. */
  private async sendEach(producer: KafkaProducer, records: readonly ProducerRecord[]): Promise<void> {
    const refusals: unknown[] = [];
    for (const record of records) {
      await producer.send([record]).catch((error: unknown) => {
        if (classifyKafkaError(error) !== 'refused') throw error;
        refusals.push(error);
      });
    }
    const fields = { group: this.options.group, dropped: refusals.length, err: refusals[0] };
    this.options.logger.warn(fields, 'Kafka refuses some wake-ups: they are dropped, and the sweeper finds their keys');
  }

  private async connect(): Promise<KafkaProducer> {
    if (this.producer) return this.producer;
    await ensureRetryTopics(this.options);
    const producer = await KafkaProducer.connect({ ...this.options, clientId: `${this.options.group}-wake-ups` });
    if (!this.givingUp.signal.aborted) return (this.producer = producer);
    await producer.close();
    throw this.givingUp.signal.reason;
  }

  /** The next use connects anew. */
  private async disconnect(): Promise<void> {
    const producer = this.producer;
    this.producer = undefined;
    await closeProducer(producer, { signal: this.givingUp.signal, logger: this.options.logger, purpose: 'sends wake-ups' });
  }
}
