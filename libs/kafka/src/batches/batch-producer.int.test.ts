import { kafkaBrokers, readTopic, testKafka, testLogger, uniqueTopic } from '@shopflow/testing';
import { Partitioners } from 'kafkajs';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { headerText } from '../headers.js';
import { partitionOfKey } from '../partition-of-key.js';
import { BatchProducer, type FailedBatch } from './batch-producer.js';
import { fill, textRecord } from './test-support/text-record.js';
import { untilServed } from './test-support/until-served.js';

let producer: BatchProducer;

const connect = () => BatchProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
beforeAll(async () => {
  const first = await connect();
  await untilServed(first, await uniqueTopic());
  await first.close();
});
beforeEach(async () => {
  producer = await connect();
});
afterEach(() => producer.close());

const batchOf = (topic: string, values: readonly string[], partition = 0) => fill(producer.open(topic, partition), values);
const kinds = (failed: readonly FailedBatch[]) => failed.map(({ batch, error }) => [batch.partition, error.kind]);

/** By partition, in order. */
async function valuesOf(topic: string): Promise<Record<number, string[]>> {
  const byPartition: Record<number, string[]> = {};
  for (const { partition, value } of await readTopic(topic)) (byPartition[partition] ??= []).push(String(value));
  return byPartition;
}

it('writes batches of several partitions and topics at once, each in order, send after send', async () => {
  const topics = [await uniqueTopic({ partitions: 3 }), await uniqueTopic({ partitions: 3 })];
  const values = (from: number) => Array.from({ length: 400 }, (_, n) => String(from + n));
  for (const from of [0, 400, 800]) {
    const batches = topics.flatMap((topic) => [0, 1, 2].map((partition) => batchOf(topic, values(from), partition)));
    expect(await producer.send(batches)).toEqual([]);
    for (const batch of batches) batch.release();
  }
  const all = [...values(0), ...values(400), ...values(800)];
  for (const topic of topics) expect(await valuesOf(topic)).toEqual({ 0: all, 1: all, 2: all });
});

it('puts a key where the Java client and kafkajs put it, with key, value and headers as they were given', async () => {
  const topic = await uniqueTopic({ partitions: 6 });
  await producer.learn(topic);
  const keys = Array.from({ length: 40 }, (_, n) => `ORD-${n}`);
  const byPartition = Map.groupBy(keys, (key) => partitionOfKey(Buffer.from(key), producer.partitionsOf(topic)!));
  const batches = [...byPartition].map(([partition, theirs]) => {
    const batch = producer.open(topic, partition);
    for (const key of theirs) batch.append(textRecord(key, `of ${key}`, { ce_id: `evt-${key}`, none: null }));
    return batch;
  });
  expect(await producer.send(batches)).toEqual([]);
  const kafkajs = testKafka().producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await kafkajs.connect();
  await kafkajs.send({ topic, messages: keys.map((key) => ({ key, value: 'theirs' })) });
  await kafkajs.disconnect();
  const written = await readTopic(topic);
  for (const key of keys) {
    const [ours, theirs] = written.filter((record) => String(record.key) === key);
    expect([String(ours?.value), headerText(ours?.headers, 'ce_id'), ours?.headers['none']]).toEqual([`of ${key}`, `evt-${key}`, null]);
    expect(theirs?.partition).toBe(ours?.partition);
  }
});

it('writes the next batches of all partitions after one of a send was refused', async () => {
  const topic = await uniqueTopic({ partitions: 3, maxMessageBytes: 20_000 });
  const expected: Record<number, string[]> = { 0: [], 1: [], 2: [] };
  for (let round = 0; round < 5; round++) {
    const refused = batchOf(topic, ['x'.repeat(30_000)], 1);
    const failed = await producer.send([batchOf(topic, [`${round} a`], 0), refused, batchOf(topic, [`${round} b`], 2)]);
    expect(failed).toMatchObject([{ batch: { partition: 1 }, error: { kind: 'refused' } }]);
    expect(failed[0]!.error.message).toContain(`sending to ${topic} failed: MESSAGE_TOO_LARGE`);
    const next = [0, 1, 2].map((partition) => batchOf(topic, [`${round} next`], partition));
    expect(await producer.send(next)).toEqual([]);
    expected[0]!.push(`${round} a`, `${round} next`);
    expected[1]!.push(`${round} next`);
    expected[2]!.push(`${round} b`, `${round} next`);
  }
  expect(await valuesOf(topic)).toEqual(expected);
});

it('refuses a record that is too large for the topic, or for any request, and goes on with the next one', async () => {
  const topic = await uniqueTopic();
  expect(kinds(await producer.send([batchOf(topic, ['x'.repeat(2_000_000)])]))).toEqual([[0, 'refused']]);
  const failed = await producer.send([batchOf(topic, ['x'.repeat(101 * 1024 * 1024)])]);
  expect(failed[0]?.error).toMatchObject({ kind: 'refused', message: expect.stringContaining('fit no request') });
  expect(await producer.send([batchOf(topic, ['small'])])).toEqual([]);
});

it('names a topic that is missing, while the others of the send are written', async () => {
  const topic = await uniqueTopic();
  const failed = await producer.send([batchOf('no-such-topic', ['a']), batchOf(topic, ['b'])]);
  expect(failed).toMatchObject([{ batch: { topic: 'no-such-topic' }, error: { kind: 'other' } }]);
  expect(failed[0]!.error.message).toBe('sending to no-such-topic failed: Unknown topic no-such-topic.');
  await expect(producer.learn('no-such-topic')).rejects.toMatchObject({ kind: 'other' });
  expect(await valuesOf(topic)).toEqual({ 0: ['b'] });
});

it('sends one after the other what is sent at once', async () => {
  const topic = await uniqueTopic();
  const sends = Array.from({ length: 20 }, (_, n) => producer.send([batchOf(topic, [`${n} a`, `${n} b`])]));
  expect((await Promise.all(sends)).flat()).toEqual([]);
  expect(await valuesOf(topic)).toEqual({ 0: sends.flatMap((_, n) => [`${n} a`, `${n} b`]) });
});

it('goes on in a topic that was deleted and created anew, with fewer partitions too', async () => {
  const topic = await uniqueTopic({ partitions: 2 });
  const last = batchOf(topic, ['old'], 1);
  expect(await producer.send([batchOf(topic, ['old']), last])).toEqual([]);
  const admin = testKafka().admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  const next = batchOf(topic, ['new'], 0);
  const gone = batchOf(topic, ['never'], 1);
  const recreate = () => admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
  for (let left: FailedBatch[] = [...(await producer.send([next]))]; left.length > 0; left = [...(await producer.send([next]))])
    await recreate().catch(() => {}); // until the old one is gone
  await admin.disconnect();
  const failed = await producer.send([gone]);
  expect(kinds(failed)).toEqual([[1, 'other']]);
  expect(failed[0]!.error.message).toBe(`sending to ${topic} failed: there is no partition 1: topic ${topic} has 1`);
  expect(await valuesOf(topic)).toEqual({ 0: ['new'] });
});

it('fails what is in flight when it is closed, and what is sent afterwards', async () => {
  const topic = await uniqueTopic();
  expect(await producer.send([batchOf(topic, ['a'])])).toEqual([]);
  const flying = producer.send([batchOf(topic, ['b'])]);
  const waiting = producer.send([batchOf(topic, ['c'])]);
  await Promise.resolve();
  await producer.close();
  const after = producer.send([batchOf(topic, ['d'])]);
  const failed = [...(await flying), ...(await waiting), ...(await after)];
  expect(kinds(failed).slice(-2)).toEqual([
    [0, 'outage'],
    [0, 'outage'],
  ]);
});
