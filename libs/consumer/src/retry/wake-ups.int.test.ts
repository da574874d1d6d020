import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { physicalTopic } from '@shopflow/kafka';
import { eventually, kafkaBrokers, readTopic, testKafka, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterEach, expect, it } from 'vitest';
import { consumed } from '../test-support/chunk-of.js';
import { ORDERS, orderRecord } from '../test-support/publish.js';
import { recordingLogger } from '../test-support/recording-logger.js';
import { readRetryRecord } from './retry-record.js';
import type { WakeUp } from './wake-up.js';
import { WakeUps, type WakeUpsOptions } from './wake-ups.js';

const DELAYS_MS = [5_000, 60_000, 600_000] as const;
const now = new Date('2026-11-30T10:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);

const wakeUp = (id: string, change: Partial<WakeUp> = {}): WakeUp => ({
  topic: ORDERS,
  key: Buffer.from(id),
  dueAt: later(5_000),
  attempts: 1,
  record: consumed(orderRecord('', { id, orderId: id }), 7),
  reason: 'mail provider answered 503',
  firstFailedAt: now,
  lastFailedAt: now,
  ...change,
});

const started: WakeUps[] = [];
afterEach(() => Promise.all(started.splice(0).map((wakeUps) => wakeUps.stop())));

/** A group with a topic of its own, whose retry topics are not there yet. */
async function group(change: Partial<WakeUpsOptions> = {}) {
  const namespace = change.namespace ?? uniqueNamespace();
  const { logger, lines } = recordingLogger();
  if (change.brokers === undefined) await uniqueTopic({ namespace, name: ORDERS, partitions: 2 });
  const options = { group: 'email', brokers: kafkaBrokers(), namespace, logger, sources: [ORDERS], delaysMs: DELAYS_MS, clock: () => now };
  const wakeUps = new WakeUps({ ...options, ...change });
  started.push(wakeUps);
  wakeUps.start();
  const sent = async (tier: number) =>
    (await readTopic(physicalTopic(namespace, `email.retry.${tier}`))).map(({ headers }) => String(headers['ce_id']));
  return { wakeUps, namespace, lines, sent, warnings: () => lines.filter((line) => line['level'] === 'warn') };
}

it('writes each head into the topic of its tier, with the partitions of its source, and what was sent can be read', async () => {
  const { wakeUps, namespace, sent } = await group();
  wakeUps.wake([wakeUp('a'), wakeUp('b', { attempts: 2, dueAt: later(60_000) })]);
  wakeUps.wake([wakeUp('c', { attempts: 3, dueAt: later(600_000) }), wakeUp('d', { attempts: 0, dueAt: now, key: Buffer.alloc(0) })]);
  await eventually(async () => (await sent(3)).length === 1);
  expect([(await sent(1)).sort(), await sent(2), await sent(3)]).toEqual([['a', 'd'], ['b'], ['c']]);
  const first = await readTopic(physicalTopic(namespace, 'email.retry.1'));
  const keys = first.map(readRetryRecord).map((read) => 'key' in read && read.key.toString());
  expect(keys.sort()).toEqual(['', 'a']);
  const admin = testKafka().admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [physicalTopic(namespace, 'email.retry.3')] });
  await admin.disconnect();
  expect(topics[0]!.partitions).toHaveLength(2);
});

it('sends none for a head that is due later than its tier, which would pause its partition for everyone', async () => {
  const { wakeUps, sent } = await group();
  wakeUps.wake([wakeUp('retry-after', { dueAt: later(5_001) }), wakeUp('newer', { attempts: 0, dueAt: later(600_000) }), wakeUp('a')]);
  await eventually(async () => expect(await sent(1)).toEqual(['a']));
});

it('lets a record that Kafka refuses not take the others with it, and says so once', async () => {
  const { wakeUps, sent, warnings } = await group();
  const huge = { ...wakeUp('huge').record, value: Buffer.alloc(1_500_000) };
  wakeUps.wake([wakeUp('a'), wakeUp('huge', { record: huge }), wakeUp('huge too', { record: huge }), wakeUp('b')]);
  await eventually(() => warnings().length > 0);
  expect(new Set(await sent(1))).toEqual(new Set(['a', 'b']));
  expect(warnings()).toMatchObject([{ dropped: 2, msg: expect.stringContaining('the sweeper finds their keys') }]);
});

it('drops what it cannot send, says so once, and connects anew for the next one', async () => {
  const { wakeUps, namespace, sent, warnings } = await group();
  wakeUps.wake([wakeUp('before')]);
  await eventually(async () => (await sent(1)).length === 1);
  await deleteTopics(namespace);
  wakeUps.wake([wakeUp('lost'), wakeUp('lost too')]);
  await eventually(() => warnings().length > 0);
  expect(warnings()).toMatchObject([{ dropped: 2, msg: 'sending wake-ups failed: they are dropped, and the sweeper finds their keys' }]);
  wakeUps.wake([wakeUp('after')]);
  await eventually(async () => expect(await sent(1)).toEqual(['after']));
});

async function deleteTopics(namespace: string): Promise<void> {
  const admin = testKafka().admin();
  await admin.connect();
  const topics = [1, 2, 3].map((tier) => physicalTopic(namespace, `email.retry.${tier}`));
  await admin.deleteTopics({ topics });
  await eventually(async () => !(await admin.listTopics()).some((topic) => topics.includes(topic)));
  await admin.disconnect();
}

it('keeps 10,000 while Kafka does not answer, drops the rest with one warning, and stops within 2 s', async () => {
  const broker = await silentBroker();
  const { wakeUps, warnings } = await group({ brokers: broker.address });
  wakeUps.wake([wakeUp('first')]);
  await broker.called;
  const flood = wakeUp('flood');
  wakeUps.wake(Array.from({ length: 10_100 }, () => flood));
  wakeUps.wake([flood]);
  expect(warnings()).toMatchObject([{ waiting: 10_000 }]);
  const before = Date.now();
  await wakeUps.stop();
  expect(Date.now() - before).toBeLessThan(3_000);
  expect(warnings()[1]).toMatchObject({ dropped: 10_001, err: { message: 'Kafka has not answered within 2000 ms' } });
  broker.hangUp();
});

/** A broker that hangs: it takes connections and says nothing. */
async function silentBroker(): Promise<{ address: string; called: Promise<unknown>; hangUp(): void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => socket.destroy())));
  const called = once(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const hangUp = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, called, hangUp };
}
