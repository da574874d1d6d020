import { kafkaBrokers, readTopic, testKafka, testLogger, uniqueTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BatchProducer } from './batch-producer.js';
import { ProduceConnection } from './produce-connection.js';
import type { RecordBatch, Sequence } from './record-batch.js';
import { fill } from './test-support/text-record.js';
import { untilServed } from './test-support/until-served.js';

let producer: BatchProducer;
let topic: string;

beforeEach(async () => {
  producer = await BatchProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
  topic = await uniqueTopic({ partitions: 3 });
  await untilServed(producer, topic, 2);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await producer.close();
});

const batchOf = (values: readonly string[], partition = 0) => fill(producer.open(topic, partition), values);
const valuesOf = async (partition = 0) =>
  (await readTopic(topic)).filter((record) => record.partition === partition).map(({ value }) => String(value));

/** Sends both; the first fails for this reason, and goes through when it is sent again. */
async function failsOnce(batch: RecordBatch, other: RecordBatch, reason: string): Promise<void> {
  const failed = await producer.send([batch, other]);
  expect(failed).toMatchObject([{ error: { kind: 'outage', message: expect.stringContaining(reason) } }]);
  expect(failed[0]!.batch).toBe(batch);
  expect(await producer.send([batch])).toEqual([]);
}

/** Somebody else writes in this producer's name, as it would itself but for this. */
async function intrude(values: readonly string[], change: Partial<Sequence> = {}): Promise<void> {
  const [host, port] = kafkaBrokers().split(',')[0]!.split(':');
  const kafka = await import('@platformatic/kafka');
  const options = { clientId: 'intruder', connectMs: 5_000, answerMs: 5_000 };
  const connection = await ProduceConnection.open(kafka, { host: host!, port: Number(port) }, options);
  const batch = batchOf(values);
  const bytes = batch.seal({ ...producer['identity']!.sequenceOf(batch), ...change }, Date.now(), kafka.crc32c);
  expect(await connection.produce(new Map([[batch, bytes]]), 5_000)).toMatchObject([{ code: 0 }]);
  connection.close();
}

it('recovers when the broker misses a number: nothing is lost, repeated or overtaken', async () => {
  expect(await producer.send([batchOf(['a']), batchOf(['A'], 1)])).toEqual([]);
  const next = producer['identity']!['next'] as Map<string, number>;
  next.set(`${topic}:0`, next.get(`${topic}:0`)! + 10);
  await failsOnce(batchOf(['b', 'c']), batchOf(['B'], 1), 'OUT_OF_ORDER_SEQUENCE_NUMBER');
  expect(await producer.send([batchOf(['d']), batchOf(['C'], 1)])).toEqual([]);
  expect(await valuesOf(0)).toEqual(['a', 'b', 'c', 'd']);
  expect(await valuesOf(1)).toEqual(['A', 'B', 'C']);
});

it('recovers when others have written in its name, under its epoch or a later one', async () => {
  expect(await producer.send([batchOf(['a'])])).toEqual([]);
  await intrude(['i', 'j', 'k']);
  await failsOnce(batchOf(['b']), batchOf(['A'], 1), 'OUT_OF_ORDER_SEQUENCE_NUMBER');
  expect(await producer.send([batchOf(['c'])])).toEqual([]);
  await intrude(['l'], { producerEpoch: 1, first: 0 });
  await failsOnce(batchOf(['d']), batchOf(['B'], 1), 'INVALID_PRODUCER_EPOCH');
  expect(await producer.send([batchOf(['e'])])).toEqual([]);
  expect(await valuesOf(0)).toEqual(['a', 'i', 'j', 'k', 'b', 'c', 'l', 'd', 'e']);
  expect(await valuesOf(1)).toEqual(['A', 'B']);
});

it.each([
  [59, 'UNKNOWN_PRODUCER_ID'],
  [49, 'INVALID_PRODUCER_ID_MAPPING'],
  [90, 'PRODUCER_FENCED'],
])('begins under a new identity after error %d, which today no broker gives without transactions', async (code, name) => {
  expect(await producer.send([batchOf(['a'])])).toEqual([]);
  const before = producer['identity'];
  const answer = { topic, code, message: null };
  vi.spyOn(ProduceConnection.prototype, 'produce').mockResolvedValueOnce([
    { ...answer, partition: 0 },
    { ...answer, partition: 1, code: 0 },
  ]);
  await failsOnce(batchOf(['b']), batchOf(['not sent'], 1), name);
  expect(producer['identity']).not.toBe(before);
  expect(await valuesOf()).toEqual(['a', 'b']);
});

it('takes a batch that the broker calls a repetition for written', async () => {
  vi.spyOn(ProduceConnection.prototype, 'produce').mockResolvedValueOnce([{ topic, partition: 0, code: 46, message: null }]);
  expect(await producer.send([batchOf(['written'])])).toEqual([]);
});

it('goes on where the records that the broker knows it by were deleted', async () => {
  expect(await producer.send([batchOf(['a', 'b'])])).toEqual([]);
  const admin = testKafka().admin();
  await admin.connect();
  await admin.fetchTopicOffsets(topic); // it has to know the topic
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] });
  await admin.disconnect();
  expect(await producer.send([batchOf(['c'])])).toEqual([]);
  expect(await producer.send([batchOf(['d'])])).toEqual([]);
  expect(await valuesOf()).toEqual(['c', 'd']);
});
