import { createTestDatabase, eventually, type TestDatabase, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StartFinder } from './find-start.js';
import { Limiter } from './limiter.js';
import { PartitionWorker } from './partition-worker.js';
import { chunkOf, groupOf } from './test-support/chunk-of.js';
import { effect, effectMigrations, effects } from './test-support/effects.js';
import { ORDERS } from './test-support/publish.js';

const partition = { topic: ORDERS, partition: 0 };

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
afterAll(() => test.drop());

/** What the broker would have been told. */
function steering() {
  const calls = { seeks: [] as number[], fetching: false };
  const member = {
    seek: (_partition: object, offset: number) => void calls.seeks.push(offset),
    pause: () => void (calls.fetching = false),
    resume: () => void (calls.fetching = true),
    commit: () => undefined,
  };
  return { calls, member };
}

it('begins again where a topic that was created anew begins, also when it notices in the middle of its last chunk', async () => {
  const inHand = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const each = async (event: { id: string }, { tx }: { tx: Parameters<typeof effect>[0] }) => {
    await effect(tx, event);
    inHand.resolve();
    await gate.promise;
  };
  const group = await groupOf(test.database, { each });
  const { calls, member } = steering();
  const topic = { ...partition, committed: 0, low: 0, high: 1 };
  const starts = new StartFinder(test.database, { fetchOffsets: async () => [topic] }, group.group);
  let handled = 0;
  const worker = new PartitionWorker(partition, {
    ...group,
    member,
    starts,
    limiter: new Limiter(1),
    logger: testLogger(),
    chunkSize: 500,
    lanes: 1,
    backoff: {
      firstMs: 10,
      mostMs: 10,
    },
    untilAllowed: () => Promise.resolve(),
    onCommitted: (_partition, result) => void (handled += result.handled.length),
  });
  await eventually(() => calls.fetching);
  const old = chunkOf({ id: 'a' }, { id: 'b' });
  const anew = chunkOf({ id: 'new' });
  expect(worker.receive({ ...old, nextOffset: old.to, highWatermark: old.to })).toBe(true);
  await inHand.promise;
  expect(worker.receive({ ...anew, nextOffset: anew.to, highWatermark: anew.to })).toBe(false);
  gate.resolve();
  await eventually(() => calls.seeks.length === 2 && calls.fetching, { timeoutMs: 3_000, message: 'reads on' });
  expect(calls.seeks).toEqual([0, 0]);
  expect(worker.receive({ ...anew, nextOffset: anew.to, highWatermark: anew.to })).toBe(true);
  await eventually(() => handled === 3);
  expect(await effects(test.database)).toEqual(['a', 'b', 'new']);
  worker.stop({ lost: true });
  await worker.done;
});
