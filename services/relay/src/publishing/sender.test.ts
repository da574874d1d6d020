import { BatchBuffers, type FailedBatch, KafkaSendError, PartitionGoneError, RecordBatch } from '@shopflow/kafka';
import { testLogger } from '@shopflow/testing';
import { beforeEach, expect, it } from 'vitest';
import { Sender } from './sender.js';

const TOPIC = 'shop.orders.events';
const batch = (partition: number) => new RecordBatch(TOPIC, partition, new BatchBuffers());
const [a, b, c] = [batch(0), batch(1), batch(2)];
const fails = (failed: RecordBatch, kind: 'outage' | 'refused' | 'other'): FailedBatch => ({
  batch: failed,
  error: new KafkaSendError(kind, [TOPIC], kind),
});

/** What each attempt answers; after the last one all is well. */
let answers: FailedBatch[][];
let attempts: (readonly RecordBatch[])[];
let told: string[];
let unreachable: number;
let sender: Sender;
const signal = new AbortController().signal;

beforeEach(async () => {
  [answers, attempts, told, unreachable] = [[], [], [], 0];
  const listener = { failed: (error: KafkaSendError) => told.push(error.message), recovered: () => told.push('recovered') };
  sender = new Sender({ brokers: '', clientId: 'test', logger: testLogger() }, listener, async () => {
    if (unreachable-- > 0) throw Object.assign(new Error('no broker'), { code: 'PLT_KFK_NETWORK' });
    return {
      partitionsOf: () => 3,
      open: (topic, partition) => new RecordBatch(topic, partition, new BatchBuffers()),
      learn: async () => {},
      close: async () => {},
      send: async (batches) => {
        attempts.push(batches);
        return answers.shift() ?? [];
      },
    };
  });
  await sender.learn(TOPIC, signal);
});

it('sends exactly the same batches again until Kafka has taken them, and says when it goes on', async () => {
  answers = [[fails(a, 'outage'), fails(b, 'outage')], [fails(b, 'other')]];
  expect(await sender.send([a, b, c], signal)).toEqual([]);
  expect(attempts).toEqual([[a, b, c], [a, b], [b]]);
  expect(told).toEqual([`sending to ${TOPIC} failed: outage`, `sending to ${TOPIC} failed: other`, 'recovered']);
});

it('tells what Kafka refuses, and sends only the rest again', async () => {
  answers = [[fails(a, 'refused'), fails(b, 'outage')], [fails(b, 'refused')]];
  const refused = await sender.send([a, b, c], signal);
  expect(refused.map(({ batch: each, reason }) => [each, reason])).toEqual(
    [a, b].map((each) => [each, `sending to ${TOPIC} failed: refused`]),
  );
  expect(attempts).toEqual([[a, b, c], [b]]);
});

it('does not speak of failures when something is refused at once', async () => {
  answers = [[fails(a, 'refused')]];
  await sender.send([a], signal);
  expect(told).toEqual([]);
});

it('gives batches up whose partition is no more: their rows have to be placed anew', async () => {
  const gone = new KafkaSendError('other', [TOPIC], 'gone', { cause: new PartitionGoneError(TOPIC, 0, 1) });
  answers = [[{ batch: a, error: gone }]];
  await expect(sender.send([a, b], signal)).rejects.toBe(gone);
});

it('sends nothing of nothing', async () => {
  expect(await sender.send([], signal)).toEqual([]);
  expect(attempts).toEqual([]);
});

it('ends with the reason of the signal between two attempts', async () => {
  const stopping = new AbortController();
  answers = Array.from({ length: 100 }, () => [fails(a, 'outage')]);
  const sending = sender.send([a], stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(sending).rejects.toThrow();
  expect(attempts).toHaveLength(1);
  await expect(sender.send([b], stopping.signal)).rejects.toThrow('stopped');
  expect(attempts).toHaveLength(1);
});

it('tries to reach the brokers until they answer', async () => {
  await sender.close();
  expect(sender.partitionsOf(TOPIC)).toBeUndefined();
  unreachable = 2;
  await sender.learn(TOPIC, signal);
  expect(sender.partitionsOf(TOPIC)).toBe(3);
  expect(told).toEqual([`sending to ${TOPIC} failed: no broker`, `sending to ${TOPIC} failed: no broker`, 'recovered']);
});
