import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { effectMigrations } from '../test-support/effects.js';
import { countHeldStarts, giveBackHeldStarts } from './count-held-starts.js';

let test: TestDatabase;
let seqs: number[];
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query('TRUNCATE held_keys, held_events');
  await test.database.query(`INSERT INTO held_keys (consumer, topic, key, due_at) VALUES ('audit', 'orders.events', 'ORD-1', now())`);
  const { rows } = await test.database.query<{ seq: string }>(
    `INSERT INTO held_events (consumer, source, event_id, topic, key, partition, "offset", record_time, headers, attempts, due_at, waits_for)
     SELECT 'audit', 'orders', 'evt-' || n, 'orders.events', 'ORD-1', 0, n, now(), '{}', 1, now(), 'retry' FROM generate_series(1, 3) AS n
     RETURNING seq`,
  );
  seqs = rows.map(({ seq }) => Number(seq));
});

const KEY = { topic: 'orders.events', key: Buffer.from('ORD-1') };
const count = (those: readonly number[], group = 'audit') => countHeldStarts(test.database, group, { ...KEY, seqs: those });
const starts = async () =>
  (await test.database.query<{ starts: number }>('SELECT starts FROM held_events ORDER BY seq')).rows.map((row) => row.starts);

it('counts each of them, and stays when their transaction is rolled back', async () => {
  const [first, second] = seqs as [number, number];
  const work = test.database.inTransaction(async () => {
    await count([first]);
    const counted = await count([first, second]);
    expect([counted.get(first), counted.get(second)]).toEqual([2, 1]);
    throw new Error('the process ends');
  });
  await expect(work).rejects.toThrow('the process ends');
  expect(await starts()).toEqual([2, 1, 0]);
});

it('gives back what it has counted, and no more than there is', async () => {
  await count(seqs.slice(0, 1));
  await giveBackHeldStarts(test.database, 'audit', { ...KEY, seqs });
  expect(await starts()).toEqual([0, 0, 0]);
});

it('counts nothing for events that are held no more, or by another group', async () => {
  expect(await count([-1])).toEqual(new Map());
  expect(await count(seqs, 'email')).toEqual(new Map());
});
