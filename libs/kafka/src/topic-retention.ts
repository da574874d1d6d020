import type { Admin, Kafka } from 'kafkajs';
import { ConfigResourceTypes } from './kafkajs.js';

/** How long the broker keeps the records of a topic, as it is set there. */
export interface TopicRetention {
  /** The name on the broker. */
  readonly topic: string;
  /** `retention.ms`; infinite when it is not limited, or when only compaction deletes anything. */
  readonly retentionMs: number;
  /** `segment.ms`: records are deleted by the segment, so some stay for so much longer. */
  readonly segmentMs: number;
}

const NAMES = ['retention.ms', 'segment.ms', 'cleanup.policy'];

/** Asks the broker. Topics that do not exist are left out. @throws when no broker answers */
export async function readTopicRetention(kafka: Kafka, topics: readonly string[]): Promise<TopicRetention[]> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = new Set(await admin.listTopics());
    return await describe(
      admin,
      topics.filter((topic) => existing.has(topic)),
    );
  } finally {
    await admin.disconnect();
  }
}

async function describe(admin: Admin, topics: readonly string[]): Promise<TopicRetention[]> {
  if (topics.length === 0) return [];
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configNames: NAMES })),
  });
  return resources.map(({ resourceName, configEntries }) => {
    const values = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
    return { topic: resourceName, retentionMs: retentionOf(values), segmentMs: Number(values.get('segment.ms')) };
  });
}

function retentionOf(values: ReadonlyMap<string, string>): number {
  const retentionMs = Number(values.get('retention.ms'));
  const deletes = values.get('cleanup.policy')?.split(',').includes('delete');
  return deletes && retentionMs >= 0 ? retentionMs : Infinity;
}
