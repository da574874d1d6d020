import { ConnectionLostError } from '@shopflow/database';
import { failureHeaderNames, partitionOfKey, physicalTopic, type ProducerRecord, retryHeaderNames } from '@shopflow/kafka';
import { eventually, kafkaBrokers, testKafka, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { consumed } from '../test-support/chunk-of.js';
import { ORDERS, orderRecord, publish } from '../test-support/publish.js';
import { recordingLogger } from '../test-support/recording-logger.js';
import { RetryConsumer, type RetryConsumerOptions } from './retry-consumer.js';
import { toRetryRecord } from './retry-record.js';
import { ensureRetryTopics } from './retry-topics.js';
import type { Advance } from './wake-up.js';

interface Call {
  readonly key: string;
  readonly at: number;
}

let namespace: string;
const started: RetryConsumer[] = [];
beforeEach(() => void (namespace = uniqueNamespace()));
afterEach(() => Promise.all(started.splice(0).map((consumer) => consumer.stop())));

/** A member that has joined, and what it was asked to look at. */
async function member(change: Partial<RetryConsumerOptions> & { first?: Advance } = {}) {
  const calls: Call[] = [];
  const { logger, lines } = recordingLogger();
  const advance: Advance = async (key, options) => {
    calls.push({ key: key.key.toString(), at: Date.now() });
    await change.first?.(key, options);
  };
  const options = { group: 'audit', brokers: kafkaBrokers(), namespace, logger, sources: [ORDERS], clock: () => new Date() };
  const pace = { backoff: { firstMs: 50, mostMs: 200 }, delaysMs: [5_000, 60_000, 600_000] as const };
  const consumer = new RetryConsumer({ ...options, ...pace, advance, untilAllowed: async () => {}, ...change });
  started.push(consumer);
  consumer.start();
  await eventually(() => consumer.state === 'joined');
  const errors = () => lines.filter((line) => line['level'] === 'error').map((line) => String(line['msg']));
  return { consumer, calls, keys: () => calls.map(({ key }) => key), errors, lines };
}

async function createTopics(partitions = 1): Promise<void> {
  await uniqueTopic({ namespace, name: ORDERS, partitions });
  const { logger } = recordingLogger();
  await ensureRetryTopics({ group: 'audit', brokers: kafkaBrokers(), namespace, logger, sources: [ORDERS] });
}

function wakeUp(key: string, dueInMs = 0, attempts = 1): ProducerRecord & { dueAt: number } {
  const dueAt = new Date(Date.now() + dueInMs);
  const record = consumed(orderRecord('', { orderId: key }), 7);
  const failure = { reason: 'down', firstFailedAt: dueAt, lastFailedAt: dueAt };
  const retry = toRetryRecord({ topic: ORDERS, key: Buffer.from(key), dueAt, attempts, record, ...failure }, { group: 'audit', namespace });
  return { ...retry, dueAt: dueAt.getTime() };
}

async function withAdmin<T>(work: (admin: ReturnType<ReturnType<typeof testKafka>['admin']>) => Promise<T>): Promise<T> {
  const admin = testKafka().admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

const topicOf = (tier: number) => physicalTopic(namespace, `audit.retry.${tier}`);

/** By partition; -1 where nothing is committed. */
const committed = (tier = 1): Promise<number[]> =>
  withAdmin(async (admin) => {
    const [found] = await admin.fetchOffsets({ groupId: `${namespace}.audit.retry`, topics: [topicOf(tier)] });
    return found!.partitions.sort((a, b) => a.partition - b.partition).map(({ offset }) => Number(offset));
  });

const purge = (offset: number): Promise<void> =>
  withAdmin(async (admin) => {
    await admin.fetchTopicOffsets(topicOf(1)); // or kafkajs does not know who leads it
    await admin.deleteTopicRecords({ topic: topicOf(1), partitions: [{ partition: 0, offset: String(offset) }] });
  });

it('looks at keys in the order of their records, each not before it is due, and commits', async () => {
  await createTopics();
  const options: unknown[] = [];
  const { calls, keys, consumer } = await member({ first: async (_key, given) => void options.push(given.skipLocked) });
  const records = [wakeUp('late', 400), wakeUp('behind', 100), wakeUp('now')];
  await publish(...records);
  await eventually(async () => (await committed())[0] === 3);
  expect(keys()).toEqual(['late', 'behind', 'now']);
  calls.forEach(({ at }, index) => expect(at).toBeGreaterThanOrEqual(records[index]!.dueAt));
  expect(options).toEqual([false, false, false]);
  expect(consumer.counts).toEqual({ woken: 3, waiting: 0, lateMs: { last: expect.any(Number), max: expect.any(Number) } });
  expect(consumer.counts.lateMs.last).toBeGreaterThan(0);
});

it('goes on in other partitions while one waits, and a stop ends the wait without committing its record', async () => {
  await createTopics(2);
  const { keys, consumer } = await member();
  await publish(wakeUp('waits', 590_000, 3), wakeUp('waits', 4_900), ...inPartition(1 - partitionOf('waits'), 3).map((key) => wakeUp(key)));
  await eventually(() => keys().length === 3);
  const before = Date.now();
  await consumer.stop();
  expect(Date.now() - before).toBeLessThan(3_000);
  expect(keys()).not.toContain('waits');
  expect((await committed())[partitionOf('waits')]).toBe(-1);
  expect((await committed())[1 - partitionOf('waits')]).toBe(3);
});

const partitionOf = (key: string) => partitionOfKey(Buffer.from(key), 2);
const inPartition = (partition: number, count: number) =>
  Array.from({ length: 50 }, (_, index) => `key-${index}`)
    .filter((key) => partitionOf(key) === partition)
    .slice(0, count);

it('tries the same record again after an outage, for as long as it takes, commits nothing meanwhile and keeps the order', async () => {
  await createTopics();
  let failures = 3;
  const offsets: number[] = [];
  const { keys } = await member({
    async first() {
      if (failures-- > 0) throw new ConnectionLostError(new Error('connect ECONNREFUSED'));
      offsets.push((await committed())[0]!);
    },
  });
  await publish(wakeUp('a'), wakeUp('b'));
  await eventually(async () => (await committed())[0] === 2);
  expect(keys()).toEqual(['a', 'a', 'a', 'a', 'b']);
  expect(offsets[0]).toBe(-1);
});

it('looks at nothing while that is not allowed', async () => {
  await createTopics();
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const untilAllowed = () => {
    asked.resolve();
    return gate.promise;
  };
  const { keys } = await member({ untilAllowed });
  await publish(wakeUp('a'));
  await asked.promise;
  expect(keys()).toEqual([]);
  gate.resolve();
  await eventually(() => keys().length === 1);
});

it('skips damaged records, impossible times and keys that fail by themselves, each loudly, and is not held up by them', async () => {
  await createTopics();
  const { keys, errors } = await member({
    async first({ key }) {
      if (key.toString() === 'defect') throw new TypeError('no such thing');
    },
  });
  const damaged = (name: string, value: string) => ({ ...wakeUp('x'), headers: { ...wakeUp('x').headers, [name]: value } });
  const foreign = { ...wakeUp('x'), headers: {} };
  await publish(foreign, damaged(retryHeaderNames.due, 'soon'), damaged(failureHeaderNames.topic, 'a\0b'));
  await publish(wakeUp('far', 3_600_000), wakeUp('defect'), wakeUp('good'));
  await eventually(async () => (await committed())[0] === 6);
  expect(keys()).toEqual(['defect', 'good']);
  expect(errors()).toEqual(
    ['shopflow-original-topic is missing', 'shopflow-due is no time: soon', 'contains NUL', 'later than anything', 'no such thing'].map(
      (why) => expect.stringContaining(why),
    ),
  );
});

it('goes on behind a purge, whether the records were fetched or not', async () => {
  await createTopics();
  const first = await member();
  await publish(wakeUp('fetched', 800), wakeUp('fetched too'));
  await eventually(() => first.consumer.counts.waiting === 2);
  await purge(2);
  await publish(wakeUp('after'));
  await eventually(() => first.keys().length === 3);
  await first.consumer.stop();
  await publish(wakeUp('purged unread'));
  await purge(4);
  const second = await member();
  await publish(wakeUp('later'));
  await eventually(() => second.keys().length === 1);
  expect([...first.keys(), ...second.keys()]).toEqual(['fetched', 'fetched too', 'after', 'later']);
});

it('follows a partition that left while it waited and came back: once, at the member that has it', async () => {
  await createTopics(2);
  const first = await member();
  const everyKey = [...inPartition(0, 2), ...inPartition(1, 2)];
  const records = everyKey.map((key) => wakeUp(key, 4_900));
  await publish(...records);
  await eventually(() => first.consumer.counts.waiting === 4);
  const second = await member();
  await eventually(() => first.keys().length === 2 && second.keys().length === 2);
  expect([...first.keys(), ...second.keys()].sort()).toEqual([...everyKey].sort());
  for (const { at } of [...first.calls, ...second.calls]) expect(at).toBeGreaterThanOrEqual(records[0]!.dueAt);
  await second.consumer.stop();
  await publish(...everyKey.map((key) => wakeUp(key)));
  await eventually(() => first.keys().length === 6);
  await eventually(async () => (await committed()).every((offset) => offset === 4));
});
