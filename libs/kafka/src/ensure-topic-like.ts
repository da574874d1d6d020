import type { Admin, Kafka } from 'kafkajs';
import { ensureTopics } from './ensure-topics.js';
import { ConfigResourceTypes } from './kafkajs.js';

/** A topic that holds records of other topics, with something added to each. */
export interface TopicLike {
  /** The name on the broker. */
  readonly topic: string;
  /** Topics that its records come from, by their names on the broker. */
  readonly like: readonly string[];
  readonly retentionMs: number;
  /** Room for what is added to a record. */
  readonly extraBytes: number;
}

/**
 * Creates the topic if it is missing: with the most partitions and the largest records that its sources have. Sources that do
 * not exist yet are left out: one that nobody has created must not keep what the others need from being there.
 *
 * @throws Error when none of the sources exists, or no broker answers
 */
export async function ensureTopicLike(kafka: Kafka, { topic, like, retentionMs, extraBytes }: TopicLike): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    if (existing.has(topic)) return;
    const sources = like.filter((source) => existing.has(source));
    if (sources.length === 0) throw new Error(`${topic} is created when one of its sources exists; there is none of ${like.join(', ')}`);
    const { topics } = await admin.fetchTopicMetadata({ topics: sources });
    const partitions = Math.max(...topics.map((source) => source.partitions.length));
    const maxMessageBytes = (await largestRecord(admin, sources)) + extraBytes;
    await ensureTopics(kafka, [{ topic, partitions, retentionMs, maxMessageBytes }]);
  } finally {
    await admin.disconnect();
  }
}

async function largestRecord(admin: Admin, topics: readonly string[]): Promise<number> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configNames: ['max.message.bytes'] })),
  });
  return Math.max(...resources.flatMap((resource) => resource.configEntries.map((entry) => Number(entry.configValue))));
}
