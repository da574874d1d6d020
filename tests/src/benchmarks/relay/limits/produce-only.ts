// The limit of writing: the same records, prepared in memory, sent by our producer as fast as it goes. No database.
import { KafkaProducer, type ProducerRecord } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { toRecord } from '../event.js';
import { answer, cpuSecondsSince, limitSettings } from './limit.js';

/** About 2 MB for all partitions together. */
const RECORDS_AT_ONCE = 4_000;

const { brokers, topic, rows } = limitSettings();
const producer = await KafkaProducer.connect({ brokers, clientId: 'produce-only', logger: createLogger('bench', 'warn') });

answer(async (backlog) => {
  const batches = prepare(backlog * rows);
  const began = performance.now();
  const before = process.cpuUsage();
  for (const batch of batches) await producer.send(batch);
  return { events: rows, seconds: (performance.now() - began) / 1_000, cpuSeconds: cpuSecondsSince(before) };
});

function prepare(first: number): ProducerRecord[][] {
  const batches: ProducerRecord[][] = [];
  for (let from = first; from < first + rows; from += RECORDS_AT_ONCE) {
    const count = Math.min(RECORDS_AT_ONCE, first + rows - from);
    batches.push(Array.from({ length: count }, (_, i) => toRecord(topic, from + i)));
  }
  return batches;
}
