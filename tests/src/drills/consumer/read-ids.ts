import { connectKafka, headerNames, headerText, physicalTopic, RecordReader } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';

export interface TopicPlace {
  readonly brokers: string;
  readonly namespace: string;
  readonly logger: Logger;
}

/** The event id of every record that a topic holds. @param topic its logical name */
export async function readIds(topic: string, { brokers, namespace, logger }: TopicPlace): Promise<string[]> {
  const ends = await offsetsOf(topic, { brokers, namespace, logger });
  const reader = await RecordReader.connect({ brokers, namespace, clientId: 'drill' });
  const ids: string[] = [];
  try {
    for (const { partition, low, high } of ends) {
      for (let offset = low; offset < high;) {
        const { records, nextOffset } = await reader.read({ topic, partition }, offset);
        ids.push(...records.map(({ headers }) => headerText(headers, headerNames.id) ?? ''));
        offset = nextOffset;
      }
    }
  } finally {
    await reader.close();
  }
  return ids;
}

/** Where each partition of a topic begins and ends. */
export async function offsetsOf(
  topic: string,
  { brokers, namespace, logger }: TopicPlace,
): Promise<{ partition: number; low: number; high: number }[]> {
  const admin = connectKafka({ brokers, clientId: 'drill', logger }).admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(physicalTopic(namespace, topic));
    return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }));
  } finally {
    await admin.disconnect();
  }
}
