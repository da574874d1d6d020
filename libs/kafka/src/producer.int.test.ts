import { kafkaBrokers, readTopic, testKafka, testLogger, uniqueTopic } from '@shopflow/testing';
import { Partitioners } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KafkaSendError } from './kafka-error.js';
import { KafkaProducer } from './producer.js';
import type { ProducerRecord } from './producer-record.js';

let producer: KafkaProducer;

beforeAll(async () => {
  producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
});
afterAll(() => producer.close());

const record = (topic: string, key: string | null, value: string | null): ProducerRecord => ({ topic, key, value, headers: {} });

it('writes key, value and headers byte for byte, nulls and repeated headers included', async () => {
  const topic = await uniqueTopic();
  const bytes = Buffer.from([0, 255, 10]);
  await producer.send([
    { topic, key: 'ORD-1', value: '{"a": 1}', headers: { ce_id: 'evt-1', raw: bytes, twice: ['a', bytes], empty: '' } },
    { topic, key: bytes, value: bytes, headers: {} },
    { topic, key: null, value: null, headers: {} },
  ]);
  const [first, second, third] = await readTopic(topic);
  expect(first?.headers).toEqual({ ce_id: Buffer.from('evt-1'), raw: bytes, twice: [Buffer.from('a'), bytes], empty: Buffer.from('') });
  expect([String(first?.key), String(first?.value)]).toEqual(['ORD-1', '{"a": 1}']);
  expect([second?.key, second?.value]).toEqual([bytes, bytes]);
  expect([third?.key, third?.value]).toEqual([null, null]);
});

it('puts a key where kafkajs puts it, in the order given', async () => {
  const topic = await uniqueTopic({ partitions: 6 });
  const keys = Array.from({ length: 300 }, (_, n) => `ORD-${n % 50}`);
  await producer.send(keys.map((key, n) => record(topic, key, String(n))));
  const kafkajs = testKafka().producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await kafkajs.connect();
  await kafkajs.send({ topic, messages: keys.slice(0, 50).map((key) => ({ key, value: '999' })) });
  await kafkajs.disconnect();

  const partitionOf = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { key, value, partition } of await readTopic(topic)) {
    expect(partitionOf.get(String(key)) ?? partition).toBe(partition);
    partitionOf.set(String(key), partition);
    expect(Number(value)).toBeGreaterThan(last.get(String(key)) ?? -1);
    last.set(String(key), Number(value));
  }
  expect(new Set(partitionOf.values()).size).toBe(6);
});

it('writes all that it acknowledges after one partition has refused its part of a send', async () => {
  const topic = await uniqueTopic({ partitions: 6, maxMessageBytes: 20_000 });
  const acknowledged: string[] = [];
  const send = async (values: string[]) => {
    await producer.send(values.map((value, n) => record(topic, `ORD-${n}`, value)));
    acknowledged.push(...values);
  };
  for (let round = 0; round < 5; round++) {
    await send([`before-${round}-a`, `before-${round}-b`, `before-${round}-c`]);
    const refused = send(['x'.repeat(30_000), `with-${round}-b`, `with-${round}-c`, `with-${round}-d`]);
    await expect(refused).rejects.toMatchObject({ name: 'KafkaSendError', kind: 'refused' });
    await Promise.all(['a', 'b', 'c'].map((name) => send([`after-${round}-${name}1`, `after-${round}-${name}2`])));
  }
  const written = new Set((await readTopic(topic)).map(({ value }) => String(value)));
  expect(acknowledged.filter((value) => !written.has(value))).toEqual([]);
});

it('writes a hot key of more than a topic takes in one batch, in order', async () => {
  const topic = await uniqueTopic({ partitions: 2 });
  const values = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(50_000)}`);
  await producer.send(values.map((value) => record(topic, 'ORD-1', value)));
  expect((await readTopic(topic)).map(({ value }) => parseInt(String(value)))).toEqual(values.map((_, n) => n));
});

it('says that a topic is missing, and that a record fits no request, without a retry', async () => {
  const missing = producer.send([record('no-such-topic', 'a', 'b')]);
  await expect(missing).rejects.toThrow('sending to no-such-topic failed: Unknown topic no-such-topic.');
  await expect(missing).rejects.toMatchObject({ kind: 'other' });
  const topic = await uniqueTopic();
  const huge = producer.send([{ topic, key: 'a', value: Buffer.alloc(65 * 1024 * 1024), headers: {} }]);
  await expect(huge).rejects.toBeInstanceOf(KafkaSendError);
  await expect(huge).rejects.toMatchObject({ kind: 'refused' });
});

it('says at once that no broker answers', async () => {
  const connecting = KafkaProducer.connect({ brokers: '127.0.0.1:1', clientId: 'test', logger: testLogger() });
  await expect(connecting).rejects.toThrow();
});
