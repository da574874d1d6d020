import { createServer, type Socket } from 'node:net';
import { eventually, kafkaBrokers, testKafka, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { TopicPartition } from './consumed-record.js';
import { GroupMember, type GroupMemberOptions, type GroupWork } from './group-member.js';
import { physicalTopic } from './names.js';
import { KafkaProducer } from './producer.js';

const kafka = testKafka();
const admin = kafka.admin();
let producer: KafkaProducer;
beforeAll(async () => {
  await admin.connect();
  producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
});
afterAll(() => Promise.all([producer.close(), admin.disconnect()]));

let namespace: string;
const members: GroupMember[] = [];
beforeEach(() => void (namespace = uniqueNamespace()));
afterEach(() => Promise.all(members.splice(0).map((member) => member.leave())));

const create = (name: string, partitions = 1) => uniqueTopic({ namespace, name, partitions });
const publish = (topic: string, ...values: string[]) =>
  producer.send(values.map((value) => ({ topic: physicalTopic(namespace, topic), key: 'k', value, headers: {} })));

/** What a member of the group has seen; it reads everything that it is given from where it had come to. */
class Reader implements GroupWork {
  readonly values: string[] = [];
  readonly logger = testLogger();
  private readonly errors = vi.spyOn(this.logger, 'error');
  assignments = 0;
  partitions: readonly TopicPartition[] = [];
  readonly member: GroupMember;
  private readonly next = new Map<string, number>();

  constructor(topics: readonly string[], options: Partial<GroupMemberOptions> = {}) {
    const group = { namespace, group: 'g', clientId: 'g', topics, logger: this.logger, topicWatchMs: 100 };
    this.member = new GroupMember({ brokers: kafkaBrokers(), ...group, ...options }, this);
    members.push(this.member);
    this.member.start();
  }

  assigned(partitions: readonly TopicPartition[]): void {
    this.assignments += 1;
    this.partitions = partitions;
    for (const partition of partitions) {
      this.member.seek(partition, this.next.get(nameOf(partition)) ?? 0);
      this.member.resume(partition);
    }
  }

  revoked(): void {
    this.partitions = [];
  }

  received(batch: Parameters<GroupWork['received']>[0]): boolean {
    this.values.push(...batch.records.map((record) => String(record.value)));
    this.next.set(nameOf(batch), batch.nextOffset);
    return true;
  }

  /** What it has said of offsets that are gone. */
  get losses(): unknown[] {
    return this.errors.mock.calls.filter(([, message]) => /are gone/.test(String(message))).map(([fields]) => fields);
  }

  reads(...topics: string[]): Promise<true> {
    return eventually(() => topics.every((topic) => this.partitions.some((partition) => partition.topic === topic)));
  }
}

const nameOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;

it('says which offsets were gone before they were read, and goes on behind them', async () => {
  const topic = await create('a');
  await publish('a', '0', '1');
  const reader = new Reader(['a']);
  await eventually(() => reader.values.length === 2);
  const a = { topic: 'a', partition: 0 };
  reader.member.pause(a);
  await publish('a', '2', '3', '4', '5');
  await admin.fetchTopicOffsets(topic); // kafkajs deletes nothing of topics that it was not asked about before
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '5' }] });
  reader.member.resume(a);
  await eventually(() => reader.values.includes('5'));
  expect(reader.values).toEqual(['0', '1', '5']);
  expect(reader.losses).toEqual([{ ...a, from: 2, to: 5, count: 3 }]);
});

it('calls nothing lost that never was for consumers, as what an aborted transaction wrote', async () => {
  const topic = await create('a');
  await publish('a', '0');
  const reader = new Reader(['a']);
  await eventually(() => reader.values.length === 1);
  const transactional = kafka.producer({ transactionalId: topic, maxInFlightRequests: 1, idempotent: true });
  await transactional.connect();
  const transaction = await transactional.transaction();
  await transaction.send({ topic, messages: [{ key: 'k', value: 'aborted' }] });
  await transaction.abort();
  await transactional.disconnect();
  await eventually(async () => (await admin.fetchTopicOffsets(topic))[0]?.high === '3');
  await publish('a', '1');
  await eventually(() => reader.values.includes('1'));
  expect([reader.values, reader.losses]).toEqual([['0', '1'], []]);
});

it('reads its other topics while one does not exist, is not ready meanwhile, and reads that one when it does', async () => {
  await create('a');
  const reader = new Reader(['a', 'b']);
  await publish('a', 'a0');
  await eventually(() => reader.values.length === 1);
  expect([reader.member.state, reader.member.missingTopics]).toEqual(['incomplete', ['b']]);
  expect(await reader.member.fetchOffsets()).toMatchObject([{ topic: 'a', high: 1 }]);
  await create('b');
  await publish('b', 'b0');
  await eventually(() => reader.values.includes('b0'));
  expect([reader.member.state, reader.member.missingTopics]).toEqual(['joined', []]);
});

it('reads on when one of its topics is deleted, and begins the new one by its name', async () => {
  await create('a');
  const b = await create('b');
  const reader = new Reader(['a', 'b']);
  await reader.reads('a', 'b');
  await admin.deleteTopics({ topics: [b] });
  await eventually(() => reader.member.state === 'incomplete');
  await publish('a', 'a0');
  await eventually(() => reader.values.includes('a0'));
  await create('b');
  await reader.reads('b');
  await publish('b', 'b0');
  await eventually(() => reader.values.includes('b0'));
});

it('is assigned anew when a topic was created anew or got partitions while nothing was fetched', async () => {
  const topic = await create('a');
  const reader = new Reader(['a']);
  await reader.reads('a');
  reader.member.pause({ topic: 'a', partition: 0 });
  await admin.deleteTopics({ topics: [topic] });
  await eventually(async () => (await create('a').catch(() => undefined)) !== undefined);
  await eventually(() => reader.assignments > 1 && reader.member.state === 'joined');
  await admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
  await eventually(() => reader.partitions.length === 3);
});

it.each(['older', 'newer'])('a deploy that adds a topic: the new member reads it, whoever leads (the %s one)', async (leader) => {
  await create('a', 4);
  await create('b', 2);
  const topics = { older: ['a'], newer: ['a', 'b'] };
  const first = new Reader(leader === 'older' ? topics.older : topics.newer);
  await first.reads('a');
  const second = new Reader(leader === 'older' ? topics.newer : topics.older);
  const [older, newer] = leader === 'older' ? [first, second] : [second, first];
  await eventually(() => older.partitions.length === 3 && newer.partitions.length === 3);
  expect(new Set(older.partitions.map(({ topic }) => topic))).toEqual(new Set(['a']));
  expect([...older.partitions, ...newer.partitions].map(nameOf).sort()).toEqual(['a/0', 'a/1', 'a/2', 'a/3', 'b/0', 'b/1']);
});

it('leaves in time while the broker accepts connections and answers nothing', async () => {
  const sockets: Socket[] = [];
  const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  const port = await eventually(() => (mute.address() as { port: number } | null)?.port);
  const { member } = new Reader(['a'], { brokers: `127.0.0.1:${port}` });
  const asked = member.fetchOffsets().catch((error: unknown) => error);
  await eventually(() => sockets.length >= 2);
  const began = Date.now();
  await member.leave();
  expect(Date.now() - began).toBeLessThan(4_500);
  expect(await asked).toBeInstanceOf(Error);
  expect(member.state).toBe('left');
  for (const socket of sockets) socket.destroy();
  mute.close();
});
