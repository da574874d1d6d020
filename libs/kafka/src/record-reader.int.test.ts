import { kafkaBrokers, testKafka, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsumedRecord } from './consumed-record.js';
import { GroupAdministration } from './group-administration.js';
import { partitionOfKey } from './partition-of-key.js';
import { KafkaProducer } from './producer.js';
import { RecordReader } from './record-reader.js';

const namespace = uniqueNamespace();
const connection = { brokers: kafkaBrokers(), namespace, clientId: 'test', logger: testLogger() };
const PARTITIONS = 2;
let reader: RecordReader;

beforeAll(async () => {
  for (const name of ['orders.events', 'emails.events']) await uniqueTopic({ namespace, name, partitions: PARTITIONS });
  const producer = await KafkaProducer.connect(connection);
  for (const name of ['orders.events', 'emails.events'])
    for (const round of [1, 2])
      await producer.send(
        ['ORD-1', 'ORD-2', 'ORD-3', 'ORD-4'].map((key) => ({
          topic: `${namespace}.${name}`,
          key,
          value: round === 2 ? null : `${name} ${key}`,
          headers: { twice: ['a', null], once: 'ü' },
        })),
      );
  await producer.close();
  reader = await RecordReader.connect(connection);
});
afterAll(() => reader.close());

async function readAll(topic: string, partition: number, from: number): Promise<ConsumedRecord[]> {
  const records: ConsumedRecord[] = [];
  for (let offset = from; ;) {
    const page = await reader.read({ topic, partition }, offset);
    if (page.nextOffset === offset) return records;
    records.push(...page.records);
    offset = page.nextOffset;
  }
}

it('reads what each partition holds, in order, byte for byte', async () => {
  for (const topic of ['orders.events', 'emails.events', 'orders.events']) {
    const partitions = await Promise.all(Array.from({ length: PARTITIONS }, (_, partition) => readAll(topic, partition, 0)));
    expect(partitions.flat()).toHaveLength(8);
    for (const [partition, records] of partitions.entries()) {
      expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index));
      for (const record of records) expect(partitionOfKey(record.key!, PARTITIONS)).toBe(partition);
    }
    const [first] = partitions.flat();
    expect(first).toMatchObject({ topic, headers: { twice: [Buffer.from('a'), null], once: Buffer.from('ü') } });
    expect(first?.value?.toString()).toBe(`${topic} ${first?.key?.toString()}`);
    expect(Math.abs((first?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000);
  }
});

it('begins at the offset that is asked for, also in the middle of a batch', async () => {
  const partition = partitionOfKey(Buffer.from('ORD-1'), PARTITIONS);
  const all = await readAll('orders.events', partition, 0);
  const from = all.length - 1;
  expect((await readAll('orders.events', partition, from)).map(({ offset }) => offset)).toEqual([from]);
});

it('leaves no group behind, and sees those that are there', async () => {
  const admin = await GroupAdministration.connect(connection);
  expect(await admin.describe('audit')).toEqual({ state: 'Dead', members: [] });
  await admin.forget('audit');
  const member = testKafka().consumer({ groupId: `${namespace}.audit`, maxWaitTimeInMs: 50 });
  await member.connect();
  await member.subscribe({ topic: `${namespace}.orders.events`, fromBeginning: true });
  const { promise: joined, resolve } = Promise.withResolvers<unknown>();
  member.on(member.events.GROUP_JOIN, resolve);
  await member.run({ autoCommit: false, eachMessage: async () => {} });
  await joined;
  expect(await admin.describe('audit')).toMatchObject({ state: 'Stable', members: [{ clientId: 'test' }] });
  await expect(admin.forget('audit')).rejects.toThrow();
  await member.commitOffsets([{ topic: `${namespace}.orders.events`, partition: 1, offset: '1' }]);
  await member.disconnect();
  expect(await admin.committedTopics('audit')).toEqual(['orders.events']);
  expect(await admin.offsets('audit', ['orders.events', 'absent.events'])).toMatchObject([
    { topic: 'orders.events', partition: 0, committed: null, low: 0 },
    { topic: 'orders.events', partition: 1, committed: 1, low: 0 },
  ]);
  await admin.forget('audit');
  expect(await admin.committedTopics('audit')).toEqual([]);
  await admin.close();
});
