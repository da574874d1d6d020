import { eventually, kafkaBrokers, readTopic, testLogger, uniqueTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { REQUEST_MS } from '../producer-client.js';
import { BatchProducer } from './batch-producer.js';
import { BrokerProxy } from './test-support/broker-proxy.js';
import { untilServed } from './test-support/until-served.js';
import { fill } from './test-support/text-record.js';
import { TopicLeaders } from './topic-leaders.js';

let proxy: BrokerProxy;
let producer: BatchProducer;
let topic: string;

beforeEach(async () => {
  proxy = await BrokerProxy.start(kafkaBrokers());
  vi.spyOn(TopicLeaders.prototype, 'addressOf').mockReturnValue(proxy.address);
  producer = await BatchProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
  topic = await uniqueTopic({ partitions: 3 });
  await untilServed(producer, topic, 2);
});
afterEach(async () => {
  await producer.close();
  await eventually(() => proxy.open.size === 0, { message: 'no connection is left' });
  await proxy.close();
  vi.restoreAllMocks();
});

const batchOf = (values: readonly string[], partition = 0) => fill(producer.open(topic, partition), values);
const send = async (...batches: ReturnType<typeof batchOf>[]) => (await producer.send(batches)).map(({ error }) => error.kind);
async function disconnect(): Promise<void> {
  for (const socket of proxy.open) socket.end();
  await eventually(() => proxy.open.size === 0);
}
const valuesOf = async (partition = 0) =>
  (await readTopic(topic)).filter((record) => record.partition === partition).map(({ value }) => String(value));

it('writes a batch once that is sent again because its answer was lost', async () => {
  expect(await send(batchOf(['a', 'b']))).toEqual([]);
  for (const round of [1, 2, 3]) {
    proxy.answers = 'lose the next';
    const batches = [batchOf([`${round} c`, `${round} d`]), batchOf([`${round} e`], 1)];
    expect(await send(...batches)).toEqual(['outage', 'outage']);
    expect(await send(...batches)).toEqual([]);
  }
  expect(await send(batchOf(['f']))).toEqual([]);
  expect(await valuesOf()).toEqual(['a', 'b', '1 c', '1 d', '2 c', '2 d', '3 c', '3 d', 'f']);
  expect(await valuesOf(1)).toEqual(['1 e', '2 e', '3 e']);
});

it('does not take another batch for the one whose answer was lost, when that was given up', async () => {
  expect(await send(batchOf(['a']))).toEqual([]);
  proxy.answers = 'lose the next';
  expect(await send(batchOf(['b', 'c']))).toEqual(['outage']);
  expect(await send(batchOf(['c', 'd']))).toEqual([]); // as many records under the same number: the broker would say it has them
  expect(await send(batchOf(['e']))).toEqual([]);
  expect(await valuesOf()).toEqual(['a', 'b', 'c', 'c', 'd', 'e']);
});

it('fails within its time limit at a broker that takes a batch and never answers, and writes it once afterwards', async () => {
  vi.spyOn(REQUEST_MS, 'answer', 'get').mockReturnValue(300);
  await disconnect();
  expect(await send(batchOf(['a']))).toEqual([]);
  proxy.answers = 'none';
  const batch = batchOf(['b']);
  const began = performance.now();
  const [failed] = await producer.send([batch]);
  expect(failed?.error).toMatchObject({ kind: 'outage', message: `sending to ${topic} failed: Request timed out` });
  expect(performance.now() - began).toBeLessThan(2_000);
  proxy.answers = 'pass';
  expect(await send(batch)).toEqual([]);
  expect(await valuesOf()).toEqual(['a', 'b']);
});

it('writes what is sent next when the broker has closed an idle connection', async () => {
  expect(await send(batchOf(['a']))).toEqual([]);
  await disconnect();
  expect(await send(batchOf(['b']))).toEqual([]);
  expect(await valuesOf()).toEqual(['a', 'b']);
});

it('fails as an outage what is in flight when it is closed', async () => {
  expect(await send(batchOf(['a']))).toEqual([]);
  proxy.answers = 'none';
  const { requests } = proxy;
  const flying = send(batchOf(['b']));
  await eventually(() => proxy.requests > requests);
  await producer.close();
  expect(await flying).toEqual(['outage']);
});

it('fails as an outage where nothing listens, or what listens closes every connection', async () => {
  await disconnect();
  vi.mocked(TopicLeaders.prototype.addressOf).mockReturnValueOnce({ host: '127.0.0.1', port: 1 });
  const batch = batchOf(['a']);
  expect(await send(batch)).toEqual(['outage']);
  const closing = await BrokerProxy.start('127.0.0.1:1');
  vi.mocked(TopicLeaders.prototype.addressOf).mockReturnValueOnce(closing.address);
  expect(await send(batch)).toEqual(['outage']);
  await closing.close();
  expect(await send(batch)).toEqual([]);
  expect(await valuesOf()).toEqual(['a']);
});
