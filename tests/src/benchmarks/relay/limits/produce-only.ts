// The limit of writing: the same records, in batches that were written beforehand, sent by our producer as fast as it goes. No database.
import { BatchProducer, partitionOfKey, type RecordBatch } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { toRecord } from '../event.js';
import { contentOf } from './content-of.js';
import { answer, cpuSecondsSince, limitSettings } from './limit.js';

/** About 2 MB for all partitions together. */
const RECORDS_AT_ONCE = 4_000;

const { brokers, topic, rows } = limitSettings();
const producer = await BatchProducer.connect({ brokers, clientId: 'produce-only', logger: createLogger('bench', 'warn') });
await producer.learn(topic);
const partitions = producer.partitionsOf(topic)!;

answer(async (backlog) => {
  const sends = prepare(backlog * rows);
  const began = performance.now();
  const before = process.cpuUsage();
  for (const batches of sends) await send(batches);
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

function prepare(first: number): RecordBatch[][] {
  const sends: RecordBatch[][] = [];
  for (let from = first; from < first + rows; from += RECORDS_AT_ONCE)
    sends.push(write(from, Math.min(from + RECORDS_AT_ONCE, first + rows)));
  return sends;
}

function write(from: number, to: number): RecordBatch[] {
  const batches = new Map<number, RecordBatch>();
  for (let n = from; n < to; n++) {
    const record = toRecord(topic, n);
    const partition = partitionOfKey(record.key as Buffer, partitions);
    const batch = batches.get(partition) ?? producer.open(topic, partition);
    batches.set(partition, batch);
    batch.append(contentOf(record));
  }
  return [...batches.values()];
}
