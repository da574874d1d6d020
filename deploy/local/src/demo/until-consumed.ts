import { setTimeout as delay } from 'node:timers/promises';
import { topics } from '@shopflow/contracts';
import { connectKafka, physicalGroup, physicalTopic } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { groups } from '../services.js';
import type { System } from '../system.js';

const PAUSE_MS = 100;

/** Groups that follow orders; reminders follow invoices alone. */
const followers = groups.filter((group) => group !== 'reminder');

/** Resolves when every consumer group that follows orders has committed the end of the orders topic: nothing published so far is still on its way. */
export async function untilConsumed({ namespace, kafkaBrokers }: System, stop: AbortSignal): Promise<void> {
  const admin = connectKafka({ brokers: kafkaBrokers, clientId: 'demo', logger: createLogger('demo', 'error') }).admin();
  const topic = physicalTopic(namespace, topics.orders.name);
  await admin.connect();
  try {
    const lagOf = async (group: string) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const [committed] = await admin.fetchOffsets({ groupId: physicalGroup(namespace, group), topics: [topic] });
      const reached = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
      return ends.reduce((lag, { partition, offset }) => lag + Number(offset) - (reached.get(partition) ?? 0), 0);
    };
    for (;;) {
      const lags = await Promise.all(followers.map(lagOf));
      if (lags.every((lag) => lag === 0)) return;
      await delay(PAUSE_MS, undefined, { signal: stop });
    }
  } finally {
    await admin.disconnect();
  }
}
