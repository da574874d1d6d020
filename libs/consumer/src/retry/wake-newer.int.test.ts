import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { consumerMigrations } from '../migrations.js';
import { holdKey, nameOf, type TestHeldEvent } from '../test-support/hold-key.js';
import { wakeNewer, type WokenKeys } from './wake-newer.js';
import type { HeldKey } from '../held/held-key.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(consumerMigrations)));
beforeEach(() => test.database.query('TRUNCATE held_keys, held_events'));
afterAll(() => test.drop());

const now = new Date('2026-11-30T10:00:00.000Z');
const dueAt = new Date('2026-11-30T10:10:00.000Z');
const READABLE = [
  { type: 'order.created', latest: 4 },
  { type: 'order.cancelled', latest: 1 },
];

const newer = (version: number, type = 'order.created'): TestHeldEvent => ({ waitsFor: 'newer code', version, type });
const hold = (key: string, ...events: readonly TestHeldEvent[]) => holdKey(test.database, { key, dueAt, events });

const skipped = (keys: WokenKeys) => (keys.skipped === 0 ? [] : [`${keys.skipped} skipped`]);

async function wake(): Promise<string[]> {
  const woken: string[] = [];
  for await (const keys of wakeNewer(test.database, 'audit', READABLE, now)) woken.push(...keys.woken.map(nameOf), ...skipped(keys));
  return woken.sort();
}

/** Due now, the key as well as its head. */
async function due(): Promise<string[]> {
  const { rows } = await test.database.query<HeldKey>(
    `SELECT DISTINCT k.topic, k.key FROM held_keys k JOIN held_events e USING (consumer, topic, key) WHERE k.due_at = $1 AND e.due_at = $1`,
    [now],
  );
  return rows.map(nameOf).sort();
}

it('makes heads due that this code can read and older code could not, and no others', async () => {
  await hold('reads v4', newer(4), {});
  await hold('v5', newer(5));
  await hold('other type', newer(4, 'order.cancelled'));
  await hold('unknown type', newer(1, 'order.shipped'));
  await hold('failed', { waitsFor: 'retry', version: 4 });
  await hold('not the head', { waitsFor: 'retry' }, newer(4));
  await holdKey(test.database, { key: 'of others', dueAt, consumer: 'email', events: [newer(4)] });
  expect(await wake()).toEqual(['orders.events/reads v4']);
  expect(await due()).toEqual(['orders.events/reads v4']);
  expect(await wake()).toEqual([]);
});

it('finds all of a thousand, page by page', async () => {
  await test.database.query(
    `WITH keys AS (INSERT INTO held_keys (consumer, topic, key, due_at)
       SELECT 'audit', 'orders.events', convert_to('n' || n, 'UTF8'), $1 FROM generate_series(1, 1000) AS n RETURNING *)
     INSERT INTO held_events (consumer, source, event_id, topic, key, type, version, partition, "offset", record_time, headers,
       attempts, due_at, waits_for)
     SELECT consumer, 'orders', encode(key, 'hex'), topic, key, 'order.created', 4, 0, 0, $1, '{}', 0, $1, 'newer code' FROM keys`,
    [dueAt],
  );
  expect(await wake()).toHaveLength(1_000);
  expect(await due()).toHaveLength(1_000);
});

it('waits for nobody: a key that somebody has locked is left alone, and said', async () => {
  await hold('locked', newer(4), newer(4));
  await hold('free', newer(4));
  await test.database.inTransaction(async (tx) => {
    await tx.query(`SELECT FROM held_keys WHERE key = 'locked' FOR UPDATE`);
    expect(await wake()).toEqual(['1 skipped', 'orders.events/free']);
  });
  expect(await wake()).toEqual(['orders.events/locked']);
});
