import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advanceOffset, DatabaseWentBackError, readConsumedOffset, storeStartOffset } from '../consumed-offsets.js';
import { StartFinder } from '../find-start.js';
import { effectMigrations } from '../test-support/effects.js';
import { countStart, giveBackStart } from './count-start.js';

const PLACE = { topic: 'orders.events', partition: 0 };
let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
afterAll(() => test.drop());
beforeEach(() => storeStartOffset(test.database, 'audit', PLACE, 100));

const count = (from: number, to: number) => countStart(test.database, 'audit', PLACE, from, to);
const giveBack = (from: number, to: number) => giveBackStart(test.database, 'audit', PLACE, from, to);
const advance = (from: number, to: number, suspectUntil = 0) =>
  test.database.inTransaction((tx) => advanceOffset(tx, 'audit', PLACE, { from, to, suspectUntil }));
const stored = () => readConsumedOffset(test.database, 'audit', PLACE);

describe('countStart', () => {
  it('counts what began and did not end, and what may be to blame', async () => {
    expect(await count(100, 600)).toEqual({ starts: 1, suspectUntil: 600 });
    expect(await count(100, 101)).toEqual({ starts: 2, suspectUntil: 600 });
    expect(await stored()).toEqual({ nextOffset: 100, starts: 2, suspectUntil: 600 });
  });

  it('forgets what was suspected when the work ends', async () => {
    await count(100, 600);
    await advance(100, 600);
    expect(await stored()).toMatchObject({ nextOffset: 600, starts: 0 });
    expect(await count(600, 610)).toEqual({ starts: 1, suspectUntil: 610 });
  });

  it('finds the one that ends processes: each suspect alone, with the one start that the chunk was', async () => {
    await count(100, 600); // and the process ends
    expect(await count(100, 101)).toMatchObject({ starts: 2 });
    await advance(100, 101, 600);
    for (const starts of [2, 3, 4]) expect(await count(101, 102)).toMatchObject({ starts, suspectUntil: 600 });
    await advance(101, 600);
    expect(await stored()).toMatchObject({ nextOffset: 600, starts: 0 });
  });

  it('takes back the start of work that failed, and no more than there is', async () => {
    await count(100, 600);
    await giveBack(100, 600);
    await giveBack(100, 600);
    expect(await stored()).toMatchObject({ starts: 0 });
    expect(await count(100, 110)).toEqual({ starts: 1, suspectUntil: 110 });
  });

  it('leaves the starts of the partition alone when a late member counts, gives back or commits', async () => {
    await count(100, 200);
    expect(await count(50, 100)).toMatchObject({ starts: 0 });
    await giveBack(50, 100);
    await advance(50, 100);
    await advance(50, 90);
    expect(await stored()).toEqual({ nextOffset: 100, starts: 1, suspectUntil: 200 });
  });

  it('counts nothing where the database went back, which the work itself says', async () => {
    expect(await count(101, 102)).toMatchObject({ starts: 0 });
    await expect(advance(101, 102)).rejects.toBeInstanceOf(DatabaseWentBackError);
  });

  it('stays when the work is rolled back', async () => {
    const work = test.database.inTransaction(async (tx) => {
      await count(100, 600);
      await advanceOffset(tx, 'audit', PLACE, { from: 100, to: 600 });
      throw new Error('the process ends');
    });
    await expect(work).rejects.toThrow('the process ends');
    expect(await stored()).toEqual({ nextOffset: 100, starts: 1, suspectUntil: 600 });
  });

  it('makes no other statement of its connection less durable', async () => {
    const single = await createTestDatabase(effectMigrations, { poolSize: 1 });
    await storeStartOffset(single.database, 'audit', PLACE, 100);
    await countStart(single.database, 'audit', PLACE, 100, 600);
    const { rows } = await single.database.query('SHOW synchronous_commit');
    await single.drop();
    expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  });
});

describe('StartFinder', () => {
  const find = (committed: number | null, high = 10_000) =>
    new StartFinder(test.database, { fetchOffsets: async () => [{ ...PLACE, committed, low: 0, high }] }, 'audit').find(PLACE);

  it('keeps what an earlier process left unfinished', async () => {
    await count(100, 600);
    expect(await find(100)).toEqual({ offset: 100 });
    expect(await stored()).toEqual({ nextOffset: 100, starts: 1, suspectUntil: 600 });
  });

  it('keeps the starts when Kafka does not know yet how far the work has come', async () => {
    await count(100, 600);
    for (let crash = 2; crash <= 4; crash++) {
      expect(await find(40)).toMatchObject({ offset: 40 });
      expect(await stored()).toEqual({ nextOffset: 100, starts: crash - 1, suspectUntil: 600 });
      await advance(40, 100);
      expect(await count(100, 101)).toMatchObject({ starts: crash });
    }
  });

  it.each([
    ['that Kafka knows nothing of', null, 10_000],
    ['that ends before it', 40, 60],
    ['that ends before what Kafka has of it', 500, 400],
  ])('forgets them in a topic %s: it is another one', async (_what, committed, high) => {
    await count(100, 600);
    expect(await find(committed, high)).toMatchObject({ offset: 0 });
    expect(await stored()).toMatchObject({ nextOffset: 0, starts: 0 });
  });
});
