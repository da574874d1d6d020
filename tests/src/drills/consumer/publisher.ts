import { setTimeout as delay } from 'node:timers/promises';
import { KafkaProducer, type ProducerRecord } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import type { Workload } from './workload.js';

const TICK_MS = 50;
const MOST_AT_ONCE = 1_000;
const AGAIN_MS = 250;

export interface PublisherOptions {
  readonly brokers: string;
  readonly logger: Logger;
  readonly perSecond: number;
  /** For so long. */
  readonly ms: number;
  /** When an event comes that costs a process, as shares of the time. */
  readonly costly: readonly { readonly at: number; readonly fate: 'kills' | 'hangs'; readonly behindHeld: boolean }[];
}

/** Publishes a workload at a steady rate, each record until Kafka has taken it, in the order of its key. */
export class Publisher {
  /** Records that Kafka has accepted. */
  accepted = 0;
  /** Sends that failed and were made again. */
  failures = 0;

  constructor(
    private readonly workload: Workload,
    private readonly options: PublisherOptions,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const producer = await KafkaProducer.connect({ ...this.options, clientId: 'drill' });
    try {
      await this.publish(producer, signal);
    } finally {
      await producer.close();
    }
  }

  private async publish(producer: KafkaProducer, signal: AbortSignal): Promise<void> {
    const { perSecond, ms } = this.options;
    const costly = [...this.options.costly];
    const began = Date.now();
    for (let drawn = 0, elapsed = 0; elapsed < ms && !signal.aborted; elapsed = Date.now() - began) {
      const due = Math.min(Math.round((elapsed * perSecond) / 1_000) - drawn, MOST_AT_ONCE);
      const records = Array.from({ length: Math.max(0, due) }, () => this.workload.next()).flat();
      drawn += Math.max(0, due);
      while (costly[0] && costly[0].at * ms <= elapsed) records.push(...this.workload.costly(costly[0].fate, costly.shift()!.behindHeld));
      await this.send(producer, records, signal);
      await delay(TICK_MS);
    }
  }

  /** The same records again before anything else: they may or may not be written. */
  private async send(producer: KafkaProducer, records: readonly ProducerRecord[], signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await producer.send(records);
        this.accepted += records.length;
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        this.failures += 1;
        await delay(AGAIN_MS);
      }
    }
  }
}
