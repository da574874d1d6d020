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

/** Creates the topic if it is missing: with the most partitions and the largest records that its sources have. */
export async function ensureTopicLike(kafka: Kafka, { topic, like, retentionMs, extraBytes }: TopicLike): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    if ((await admin.listTopics()).includes(topic)) return;
    const { topics } = await admin.fetchTopicMetadata({ topics: [...like] });
    const partitions = Math.max(...topics.map((source) => source.partitions.length));
    const maxMessageBytes = (await largestRecord(admin, like)) + extraBytes;
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
