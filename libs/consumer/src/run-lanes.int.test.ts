import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChunkResult } from './chunk.js';
import { readConsumedOffset } from './consumed-offsets.js';
import { PermanentError } from './failure.js';
import { runLanes } from './run-lanes.js';
import { chunkOf, groupOf } from './test-support/chunk-of.js';
import { effect, effectMigrations, effects, forgetEverything } from './test-support/effects.js';
import { ORDERS } from './test-support/publish.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const lanesOf = async (handlers: Parameters<typeof groupOf>[1], reported: ChunkResult[] = []) => ({
  ...(await groupOf(test.database, handlers)),
  lanes: 4,
  onCommitted: (_partition: object, result: ChunkResult) => void reported.push(result),
});
const offset = async () => (await readConsumedOffset(test.database, 'audit', { topic: ORDERS, partition: 0 }))?.nextOffset;

it('handles keys at once and each key in order, and moves the offset behind all of them', async () => {
  let running = 0;
  let most = 0;
  const options = await lanesOf({
    each: async (event, { tx }) => {
      most = Math.max(most, ++running);
      await effect(tx, event);
      running -= 1;
    },
  });
  const ids = Array.from({ length: 40 }, (_, n) => ({ id: `evt-${String(n).padStart(2, '0')}`, orderId: `ORD-${n % 8}` }));
  const result = await runLanes(chunkOf(...ids), options);
  expect(result).toMatchObject({ to: 40, duplicates: 0 });
  expect([most > 1, await offset()]).toEqual([true, 40]);
  const done = await effects(test.database);
  for (let key = 0; key < 8; key++) {
    const ofKey = done.filter((id) => Number(id.slice(4)) % 8 === key);
    expect(ofKey).toEqual(ids.filter((_, n) => n % 8 === key).map(({ id }) => id));
  }
});

it('buries one event of a lane and does the rest', async () => {
  const options = await lanesOf({
    each: async (event, { tx }) => {
      await effect(tx, event);
      if (event.id === 'b') throw new PermanentError('no');
    },
  });
  const result = await runLanes(chunkOf({ id: 'a' }, { id: 'b' }, { id: 'c' }), options);
  expect(result).toMatchObject({ to: 3, buried: [{ eventId: 'b' }] });
  expect((await effects(test.database)).sort()).toEqual(['a', 'c']);
});

it('reports what other lanes have committed when one meets an outage, and does not move the offset', async () => {
  const reported: ChunkResult[] = [];
  const others = Promise.withResolvers<void>();
  const options = await lanesOf(
    {
      each: async (event, { tx }) => {
        if (event.id === 'a') {
          await others.promise;
          throw Object.assign(new Error('shutting down'), { code: '57P01' });
        }
        await effect(tx, event);
        if (event.id === 'b') others.resolve();
      },
    },
    reported,
  );
  const events = Array.from({ length: 30 }, (_, n) => ({ id: `evt-${n}`, orderId: `ORD-X${n}` }));
  await expect(runLanes(chunkOf({ id: 'a', orderId: 'ORD-A' }, ...events, { id: 'b', orderId: 'ORD-B' }), options)).rejects.toThrow(
    'shutting down',
  );
  expect(reported).toHaveLength(1);
  expect(reported[0]!.handled.length).toBe((await effects(test.database)).length);
  expect(await offset()).toBe(0);
});
