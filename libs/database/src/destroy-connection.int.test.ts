import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { classifyDatabaseError, clientOf, ConnectionLostError, destroyConnection, sql } from './index.js';

const notes = { name: 'CreateNotes1764460800901', up: 'CREATE TABLE notes (id int PRIMARY KEY)' };
const LIMIT = new Error('over its time limit');
let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase([notes], { poolSize: 2 })));
beforeEach(() => test.database.query('TRUNCATE notes'));
afterAll(() => test.drop());

/** A transaction that has written a row, and then works without end. */
function endless(work: (tx: EntityManager) => Promise<unknown>) {
  const begun = Promise.withResolvers<{ tx: EntityManager; pid: number }>();
  const ended = Promise.withResolvers<never>();
  const result = test.database.inTransaction(async (tx) => {
    await sql(tx, 'INSERT INTO notes VALUES (1)');
    const { rows } = await sql<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
    const working = work(tx);
    begun.resolve({ tx, pid: rows[0]!.pid });
    await Promise.race([ended.promise, working]);
  });
  const destroy = async () => {
    const { tx, pid } = await begun.promise;
    destroyConnection(tx, LIMIT);
    ended.reject(new Error('what the work makes of it'));
    await expect(result).rejects.toBe(LIMIT);
    return { tx, pid };
  };
  return { destroy };
}

const isGone = async (pid: number) => (await test.database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).count === 0;
const waitForever = () => new Promise(() => {});

it('rejects at once with the reason, and the server is rid of the transaction and its locks', async () => {
  const { pid } = await endless(waitForever).destroy();
  await test.database.query('INSERT INTO notes VALUES (1)'); // would wait for the lock of a transaction that still lives
  await eventually(() => isGone(pid));
});

it('does not wait for a statement that is running, and neither does the server', async () => {
  let statement: unknown;
  const work = (tx: EntityManager) => sql(tx, 'SELECT pg_sleep(60)').catch((error: unknown) => (statement = error));
  const { destroy } = endless((tx) => work(tx).then(waitForever));
  await eventually(
    async () =>
      (await test.database.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`)).count === 1,
  );
  const from = performance.now();
  const { pid } = await destroy();
  expect(performance.now() - from).toBeLessThan(2_000);
  await test.database.query('INSERT INTO notes VALUES (1)');
  expect(performance.now() - from).toBeLessThan(4_500);
  await eventually(() => isGone(pid));
  expect(classifyDatabaseError(statement)).toBe('outage');
});

it('rejects whatever the work still asks for, in every way that there is', async () => {
  const { tx } = await endless(waitForever).destroy();
  const client = await clientOf(tx);
  const attempts = [
    () => sql(tx, 'INSERT INTO notes VALUES (2)'),
    () => tx.query('INSERT INTO notes VALUES (3)'),
    () => client.query('COMMIT'),
    () => tx.transaction((inner) => inner.query('INSERT INTO notes VALUES (4)')),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/released|not queryable|closed/);
  expect((await test.database.query('SELECT FROM notes')).count).toBe(0);
});

it('gives its place in the pool to the next', async () => {
  for (let round = 0; round < 5; round++) await endless(waitForever).destroy();
  expect(await test.database.inTransaction((tx) => test.database.query('SELECT').then(() => tx.query('SELECT 1 AS one')))).toEqual([
    { one: 1 },
  ]);
});

it('commits nothing when the work ends well after it, and refuses a transaction that is over', async () => {
  const work = test.database.inTransaction(async (tx) => {
    await sql(tx, 'INSERT INTO notes VALUES (5)');
    destroyConnection(tx, LIMIT);
    return tx;
  });
  await expect(work).rejects.toBe(LIMIT);
  expect((await test.database.query('SELECT FROM notes')).count).toBe(0);
});

it('says of a connection that was lost what the server said', async () => {
  const work = test.database.inTransaction(async (tx) => {
    await sql(tx, `SET LOCAL idle_in_transaction_session_timeout = '20ms'`);
    const { rows } = await sql<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
    await eventually(() => isGone(rows[0]!.pid));
    await sql(tx, 'INSERT INTO notes VALUES (6)');
  });
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionLostError);
  expect(error).toMatchObject({ message: expect.stringContaining('idle-in-transaction timeout'), cause: { code: '25P03' } });
});
