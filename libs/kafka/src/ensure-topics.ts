import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';

export interface TopicSpec {
  /** The name on the broker. */
  readonly topic: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** Largest record batch in bytes; the broker's default (1 MiB) when left out. */
  readonly maxMessageBytes?: number;
}

/** A broker that has just started takes seconds to lead what it was given. */
const ANSWER_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** Creates the topics that are missing, replicated to as many brokers as there are (3 at most). Returns the names created. */
export async function ensureTopics(kafka: Kafka, specs: readonly TopicSpec[]): Promise<string[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = specs.filter((spec) => !existing.has(spec.topic));
    if (missing.length > 0) await create(admin, missing);
    return missing.map((spec) => spec.topic);
  } finally {
    await admin.disconnect();
  }
}

async function create(admin: Admin, specs: readonly TopicSpec[]): Promise<void> {
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(3, brokers.length);
  await admin.createTopics({
    waitForLeaders: false, // kafkajs gives up waiting when a broker has not heard of the topic yet; see untilItAnswers
    topics: specs.map(({ topic, partitions, retentionMs, maxMessageBytes }) => ({
      topic,
      numPartitions: partitions,
      replicationFactor,
      configEntries: [
        { name: 'retention.ms', value: String(retentionMs) },
        // With the broker's default of 1, acks=all may mean a single replica: an event would die with one machine.
        { name: 'min.insync.replicas', value: String(Math.max(1, replicationFactor - 1)) },
        ...(maxMessageBytes === undefined ? [] : [{ name: 'max.message.bytes', value: String(maxMessageBytes) }]),
      ],
    })),
  });
  await Promise.all(specs.map(({ topic }) => untilItAnswers(admin, topic)));
}

/** A leader is named before it serves: asking it is what tells. kafkajs asks again only where the topic is unknown. */
async function untilItAnswers(admin: Admin, topic: string): Promise<void> {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    try {
      await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      const { retriable } = error as { retriable?: boolean };
      if (retriable !== true || Date.now() > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}
