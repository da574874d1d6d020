import { randomUUID } from 'node:crypto';
import { type RawHeaders, readHeaders } from '@shopflow/kafka';
import { testKafka } from './test-kafka.js';

export interface ReadRecord {
  readonly partition: number;
  readonly offset: string;
  /** Milliseconds since 1970. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

/**
 * Every record that the topic holds now, each partition in its order.
 *
 * @param kafka for a test with a Kafka of its own
 */
export async function readTopic(topic: string, kafka = testKafka('test-reader')): Promise<ReadRecord[]> {
  const missing = await endOffsets(topic, kafka);
  const records: ReadRecord[] = [];
  if (missing.size === 0) return records;
  const consumer = kafka.consumer({ groupId: `test-reader-${randomUUID()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const { promise: done, resolve } = Promise.withResolvers<void>();
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const message of batch.messages) records.push({ ...message, headers: readHeaders(message.headers), partition: batch.partition });
      if (BigInt(batch.lastOffset()) + 1n >= (missing.get(batch.partition) ?? 0n)) missing.delete(batch.partition);
      if (missing.size === 0) resolve();
    },
  });
  await done;
  await consumer.disconnect();
  return records;
}

/** Of each partition that has records, the offset after its last one. */
async function endOffsets(topic: string, kafka: ReturnType<typeof testKafka>): Promise<Map<number, bigint>> {
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return new Map(offsets.filter(({ high, low }) => high !== low).map(({ partition, high }) => [partition, BigInt(high)]));
}
