import type { Admin, Kafka } from 'kafkajs';
import type { TopicPartition } from './consumed-record.js';
import { logicalTopic, physicalGroup, physicalTopic } from './names.js';

/** What Kafka knows about one partition of a group. Offsets are whole numbers. */
export interface PartitionOffsets extends TopicPartition {
  /** Where the group goes on reading, or null when it never committed. */
  readonly committed: number | null;
  /** The oldest offset that is still there. */
  readonly low: number;
  /** One behind the newest record. */
  readonly high: number;
}

/** Looks up every partition of the topics (logical names). */
export async function fetchGroupOffsets(
  admin: Admin,
  { namespace, group, topics }: { namespace: string; group: string; topics: readonly string[] },
): Promise<PartitionOffsets[]> {
  const names = topics.map((topic) => physicalTopic(namespace, topic));
  const committed = await admin.fetchOffsets({ groupId: physicalGroup(namespace, group), topics: names });
  const perTopic = await Promise.all(
    committed.map(async ({ topic, partitions }) => {
      const limits = new Map((await admin.fetchTopicOffsets(topic)).map((limit) => [limit.partition, limit]));
      return partitions.map(({ partition, offset }) => ({
        topic: logicalTopic(namespace, topic)!,
        partition,
        committed: Number(offset) < 0 ? null : Number(offset),
        low: Number(limits.get(partition)?.low ?? 0),
        high: Number(limits.get(partition)?.high ?? 0),
      }));
    }),
  );
  return perTopic.flat();
}

/** {@link fetchGroupOffsets} over a connection of its own. */
export async function askGroupOffsets(kafka: Kafka, options: Parameters<typeof fetchGroupOffsets>[1]): Promise<PartitionOffsets[]> {
  const admin = kafka.admin({ retry: { retries: 2 } });
  try {
    await admin.connect();
    return await fetchGroupOffsets(admin, options);
  } finally {
    await admin.disconnect();
  }
}
