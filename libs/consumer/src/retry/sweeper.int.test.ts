import { ConnectionLostError } from '@shopflow/database';
import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { consumerMigrations } from '../migrations.js';
import { holdKey, nameOf, type TestHeldKey } from '../test-support/hold-key.js';
import { recordingLogger } from '../test-support/recording-logger.js';
import { Sweeper, type SweeperOptions } from './sweeper.js';
import type { Advance } from './wake-up.js';

let test: TestDatabase;
const started: Sweeper[] = [];
beforeAll(async () => void (test = await createTestDatabase(consumerMigrations)));
beforeEach(() => test.database.query('TRUNCATE held_keys, held_events'));
afterEach(() => Promise.all(started.splice(0).map((sweeper) => sweeper.stop())));
afterAll(() => test.drop());

let now = new Date('2026-11-30T10:00:00.000Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const hold = (key: string, dueAt: Date | string, held: Partial<TestHeldKey> = {}) => holdKey(test.database, { key, dueAt, ...held });

/** A member's sweeper, and what it was asked to look at. Its passes come quickly. */
function sweep(change: Partial<SweeperOptions> & { first?: Advance } = {}) {
  const keys: string[] = [];
  const { logger, lines } = recordingLogger();
  const advance: Advance = async (key, options) => {
    keys.push(nameOf(key));
    await change.first?.(key, options);
  };
  const parts = { advance, untilAllowed: async () => {}, logger, clock: () => now };
  const sweeper = new Sweeper(test.database, { group: 'audit', readable: [], sweepMs: 20, ...parts, ...change });
  started.push(sweeper);
  sweeper.start();
  return { sweeper, keys, lines };
}

const onePass = (change: Parameters<typeof sweep>[0] = {}) => sweep({ sweepMs: 3_600_000, ...change });

it('finds overdue keys of its group, the longest overdue first, and leaves those in grace or behind a dead head alone', async () => {
  await hold('second', secondsAgo(6));
  await hold('first', secondsAgo(60), { topic: 'emails.events' });
  await hold('in grace', secondsAgo(4));
  await hold('later', secondsAgo(-60));
  await hold('dead', 'infinity');
  await hold('of others', secondsAgo(60), { consumer: 'email' });
  const options: unknown[] = [];
  const { sweeper, keys } = sweep({ first: async (_key, given) => void options.push(given.skipLocked) });
  await eventually(() => keys.length >= 2);
  await sweeper.stop();
  expect(new Set(keys)).toEqual(new Set(['emails.events/first', 'orders.events/second']));
  expect(keys[0]).toBe('emails.events/first');
  expect(new Set(options)).toEqual(new Set([true]));
});

it('gives every key once in a pass of many pages, also those that stay due at one time', async () => {
  await test.database.query(
    `INSERT INTO held_keys (consumer, topic, key, due_at)
     SELECT 'audit', 'orders.events', convert_to('k' || n, 'UTF8'), $1::timestamptz + (n % 3) * interval '1 microsecond' FROM generate_series(1, 250) AS n`,
    [secondsAgo(60)],
  );
  const { sweeper, keys } = onePass();
  await eventually(() => sweeper.swept === 250);
  await sweeper.stop();
  expect(new Set(keys).size).toBe(250);
});

it('ends a pass at an outage with one warning, and goes on at the next', async () => {
  await hold('a', secondsAgo(60));
  await hold('b', secondsAgo(50));
  let outages = 1;
  const { keys, lines } = sweep({
    async first() {
      if (outages-- > 0) throw new ConnectionLostError(new Error('the server is starting up'));
    },
  });
  await eventually(() => keys.length >= 3);
  expect(keys.slice(0, 3)).toEqual(['orders.events/a', 'orders.events/a', 'orders.events/b']);
  expect(lines.filter((line) => line['level'] === 'warn')).toHaveLength(1);
});

it('passes over a key that fails by itself, loudly', async () => {
  await hold('defect', secondsAgo(60));
  await hold('good', secondsAgo(50));
  const { keys, lines } = onePass({
    async first({ key }) {
      if (key.toString() === 'defect') throw new TypeError('no such thing');
    },
  });
  await eventually(() => keys.length === 2);
  expect(lines).toMatchObject([{ level: 'error', msg: expect.stringContaining('no such thing') }]);
});

it('looks at nothing while that is not allowed, and stops all the same', async () => {
  await hold('a', secondsAgo(60));
  const asked = Promise.withResolvers<void>();
  const untilAllowed = (signal: AbortSignal) => {
    asked.resolve();
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const { sweeper, keys } = sweep({ untilAllowed });
  await asked.promise;
  await sweeper.stop();
  expect(keys).toEqual([]);
});

it('tells the key under way when it is stopped, and begins no other', async () => {
  await hold('a', secondsAgo(60));
  await hold('b', secondsAgo(50));
  const begun = Promise.withResolvers<void>();
  const { sweeper, keys } = sweep({
    async first(_key, { signal }) {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  await begun.promise;
  await sweeper.stop();
  expect(keys).toEqual(['orders.events/a']);
});

it('looks every ten minutes, not at every pass, for what newer code was needed for', async () => {
  const newer = [{ waitsFor: 'newer code', version: 4 }];
  await hold('at start', secondsAgo(-600), { events: newer });
  await hold('marker', secondsAgo(60));
  const { sweeper, keys } = sweep({ readable: [{ type: 'order.created', latest: 4 }] });
  await eventually(() => sweeper.swept > 0);
  expect(keys.slice(0, 2)).toEqual(['orders.events/at start', 'orders.events/marker']);
  await hold('late', secondsAgo(-7_200), { events: newer });
  const passes = sweeper.swept;
  await eventually(() => sweeper.swept > passes + 3);
  expect(keys).not.toContain('orders.events/late');
  now = secondsAgo(-600);
  await eventually(() => keys.includes('orders.events/late'));
});

it('looks at overdue keys though one that waits for newer code is locked, and at that one as soon as it can', async () => {
  await hold('locked', secondsAgo(-600), { events: [{ waitsFor: 'newer code', version: 4 }] });
  await hold('overdue', secondsAgo(60));
  const { keys, lines } = await test.database.inTransaction(async (tx) => {
    await tx.query(`SELECT FROM held_keys WHERE key = 'locked' FOR UPDATE`);
    const swept = sweep({ readable: [{ type: 'order.created', latest: 4 }] });
    await eventually(() => swept.keys.length >= 2, { timeoutMs: 4_000 });
    return swept;
  });
  expect(new Set(keys)).toEqual(new Set(['orders.events/overdue']));
  await eventually(() => keys.includes('orders.events/locked'));
  expect(lines).toEqual([]);
});
