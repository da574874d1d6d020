import { clientOf, sql, type Transaction } from '@shopflow/database';
import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimEvents, giveBackClaims } from './claim-events.js';
import type { EventIdentity } from './identify-event.js';
import { identityKey } from './identify-event.js';
import { claimed, effectMigrations, forgetEverything } from './test-support/effects.js';

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

const event = (eventId: string, source = 'orders') => ({ source, eventId });
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** The `identityKey`s of those that are new. */
async function claimIn(tx: Transaction, consumer: string, events: readonly EventIdentity[]): Promise<Set<string>> {
  const { fresh } = await claimEvents(await clientOf(tx), consumer, events, () => Promise.resolve());
  return new Set([...fresh].map(identityKey));
}
const claim = (ids: readonly string[], consumer = 'audit') =>
  test.database.inTransaction((tx) =>
    claimIn(
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
  expect((await test.database.inTransaction((tx) => claimIn(tx, 'audit', both))).size).toBe(2);
});

it('gives an event to exactly one of two transactions that claim it at once', async () => {
  const gate = Promise.withResolvers<void>();
  const first = test.database.inTransaction(async (tx) => {
    const won = await claimIn(tx, 'audit', [event('a')]);
    await gate.promise;
    return won.size;
  });
  const second = claim(['a']).then((won) => won.size);
  gate.resolve();
  expect((await Promise.all([first, second])).sort()).toEqual([0, 1]);
});

it('tells duplicates apart in many events, also when somebody is claiming them', async () => {
  const many = Array.from({ length: 100 }, (_, n) => event(`evt-"\\\n${n}`));
  await test.database.inTransaction((tx) => claimIn(tx, 'audit', many.slice(0, 10)));
  const begun = Promise.withResolvers<number>();
  const gate = Promise.withResolvers<void>();
  const first = test.database.inTransaction(async (tx) => {
    begun.resolve((await claimIn(tx, 'audit', many.slice(5, 50))).size);
    await gate.promise;
  });
  const won = await begun.promise;
  const second = test.database.inTransaction(async (tx) => {
    const { size } = await claimIn(tx, 'audit', many.slice(5));
    const { rows } = await sql<{ scans: string }>(tx, `SELECT current_setting('enable_seqscan') AS scans`);
    return { won: size, scans: rows[0]?.scans };
  });
  await eventually(async () => (await test.database.query(WAITING)).count === 1);
  gate.resolve();
  await first;
  expect([won, await second]).toEqual([40, { won: 50, scans: 'on' }]);
});

it('lets the other transaction have the event when the first one rolls back', async () => {
  const gate = Promise.withResolvers<void>();
  const first = test.database.inTransaction(async (tx) => {
    await claimIn(tx, 'audit', [event('a')]);
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
    await claimIn(tx, 'audit', [event('a'), event('b'), event('c')]);
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
    claimIn(
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
