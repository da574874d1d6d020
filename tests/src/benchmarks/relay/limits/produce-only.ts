// The limit of writing: the same records, prepared in memory, sent by our producer as fast as it goes. No database.
import { BatchProducer, partitionOfKey, type RecordBatch, type RecordContent } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { toRecord } from '../event.js';
import { contentOf } from './content-of.js';
import { answer, cpuSecondsSince, limitSettings } from './limit.js';

/** About 1 MB for all partitions together. */
const RECORDS_AT_ONCE = 2_000;

interface Prepared {
  readonly partition: number;
  readonly content: RecordContent;
}

const { brokers, topic, rows } = limitSettings();
const producer = await BatchProducer.connect({ brokers, clientId: 'produce-only', logger: createLogger('bench', 'warn') });
await producer.learn(topic);
const partitions = producer.partitionsOf(topic)!;

answer(async (backlog) => {
  const records = prepare(backlog * rows);
  const began = performance.now();
  const before = process.cpuUsage();
  for (let from = 0; from < rows; from += RECORDS_AT_ONCE) {
    const batches = write(records.slice(from, from + RECORDS_AT_ONCE));
    await send(batches);
    for (const batch of batches) batch.release();
  }
  return { events: rows, seconds: (performance.now() - began) / 1_000, cpuSeconds: cpuSecondsSince(before) };
});

/** A broker that has just started may answer that it is not ready: the same again. */
async function send(batches: readonly RecordBatch[]): Promise<void> {
  for (let left = batches; left.length > 0;) {
    const failed = await producer.send(left);
    for (const { error } of failed) if (error.kind !== 'outage') throw error;
    left = failed.map(({ batch }) => batch);
  }
}

function prepare(first: number): Prepared[] {
  return Array.from({ length: rows }, (_, i) => {
    const record = toRecord(topic, first + i);
    return { partition: partitionOfKey(record.key as Buffer, partitions), content: contentOf(record) };
  });
}

function write(records: readonly Prepared[]): RecordBatch[] {
  const batches: RecordBatch[] = [];
  for (const { partition, content } of records) (batches[partition] ??= producer.open(topic, partition)).append(content);
  return batches.filter((batch) => batch !== undefined);
}
