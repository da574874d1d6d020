import type { Batch } from 'kafkajs';
import type { ConsumedRecord, PartitionBatch } from './consumed-record.js';
import { logicalTopic } from './names.js';
import { readHeaders } from './read-headers.js';

/** kafkajs has it and does not declare it. */
type FetchedBatch = Batch & { readonly fetchedOffset: string };

/** The offset that kafkajs asked for, which is not always the one that it should have. */
export const fetchedFrom = (batch: Batch): number => Number((batch as FetchedBatch).fetchedOffset);

/** What kafkajs has fetched, in our terms. */
export function toPartitionBatch(namespace: string, batch: Batch): PartitionBatch {
  const { partition } = batch;
  const topic = logicalTopic(namespace, batch.topic)!;
  const records = batch.messages.map((message): ConsumedRecord => ({
    topic,
    partition,
    offset: Number(message.offset),
    timestamp: Number(message.timestamp),
    key: message.key,
    value: message.value,
    headers: (message as { readonly plain?: true }).plain ? message.headers! : readHeaders(message.headers),
  }));
  return { topic, partition, records, nextOffset: Number(batch.lastOffset()) + 1, highWatermark: Number(batch.highWatermark) };
}
