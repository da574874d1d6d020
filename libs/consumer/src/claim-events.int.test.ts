import { sql, type Transaction } from '@shopflow/database';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimEvents, giveBackClaims } from './claim-events.js';
import { identityKey } from './identify-event.js';
import { claimed, effectMigrations, forgetEverything } from './test-support/effects.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const event = (eventId: string, source = 'orders') => ({ source, eventId });
const claim = (ids: readonly string[], consumer = 'audit') =>
  test.database.inTransaction((tx) =>
    claimEvents(
      tx,
      consumer,
      ids.map((id) => event(id)),
    ),
  );

it('gives an event to a group once, and to every group', async () => {
  expect(await claim(['a', 'b'])).toEqual(new Set([identityKey(event('a')), identityKey(event('b'))]));
  expect(await claim(['b', 'c'])).toEqual(new Set([identityKey(event('c'))]));
  expect((await claim(['a', 'b', 'c'], 'email')).size).toBe(3);
});

it('tells events of different sources apart', async () => {
  const both = [event('a', 'orders'), event('a', 'email')];
  expect((await test.database.inTransaction((tx) => claimEvents(tx, 'audit', both))).size).toBe(2);
});

it('gives an event to exactly one of two transactions that claim it at once', async () => {
  const gate = Promise.withResolvers<void>();
  const first = test.database.inTransaction(async (tx) => {
    const won = await claimEvents(tx, 'audit', [event('a')]);
    await gate.promise;
    return won.size;
  });
  const second = claim(['a']).then((won) => won.size);
  gate.resolve();
  expect((await Promise.all([first, second])).sort()).toEqual([0, 1]);
});

it('lets the other transaction have the event when the first one rolls back', async () => {
  const gate = Promise.withResolvers<void>();
  const first = test.database.inTransaction(async (tx) => {
    await claimEvents(tx, 'audit', [event('a')]);
    await gate.promise;
    throw new Error('handler failed');
  });
  const second = claim(['a']);
  gate.resolve();
  await expect(first).rejects.toThrow('handler failed');
  expect((await second).size).toBe(1);
});

it('gives back what it has claimed, and nothing else', async () => {
  await test.database.inTransaction(async (tx) => {
    await claimEvents(tx, 'audit', [event('a'), event('b'), event('c')]);
    await giveBackClaims(tx, 'audit', [event('b'), event('c')]);
  });
  expect(await claimed(test.database)).toEqual(['a']);
});

/** Two transactions that claim the same events in opposite orders at once, over and over. Answers how many rounds failed. */
async function roundsThatDeadlock(rounds: number, claimIds: (tx: Transaction, ids: string[]) => Promise<unknown>): Promise<number> {
  let deadlocks = 0;
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: 400 }, (_, index) => `evt-${round}-${String(index).padStart(3, '0')}`);
    const both = [ids, [...ids].reverse()].map((order) => test.database.inTransaction((tx) => claimIds(tx, order)));
    const results = await Promise.allSettled(both);
    if (results.some((result) => result.status === 'rejected' && /deadlock/.test(String(result.reason)))) deadlocks += 1;
  }
  return deadlocks;
}

it('never deadlocks over claims in opposite orders', async () => {
  const inAnyOrder = (tx: Transaction, ids: string[]) =>
    claimEvents(
      tx,
      'audit',
      ids.map((id) => event(id)),
    );
  expect(await roundsThatDeadlock(20, inAnyOrder)).toBe(0);
});

it('would deadlock if it took the order that it is given', async () => {
  // One by one, so that the two transactions meet in the middle for certain.
  const unsorted = async (tx: Transaction, ids: string[]) => {
    await sql(tx, `SET LOCAL deadlock_timeout = '20ms'`);
    const half = ids.length / 2;
    for (const part of [ids.slice(0, half), ids.slice(half)]) {
      await sql(tx, `INSERT INTO processed_events SELECT 'audit', 'orders', unnest($1::text[]) ON CONFLICT DO NOTHING`, [part]);
      await bothHere();
    }
  };
  let waiting: (() => void) | undefined;
  const bothHere = () =>
    new Promise<void>((resolve) => {
      if (!waiting) waiting = resolve;
      else {
        waiting();
        resolve();
      }
    });
  expect(await roundsThatDeadlock(1, unsorted)).toBe(1);
});
