import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { classifyDatabaseError, clientOf, Database, migrate, sql, TransactionAbortedError, TransactionEndedError } from './index.js';

const notes = { name: 'CreateNotes1764460800901', up: 'CREATE TABLE notes (id int PRIMARY KEY)' };
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase([notes]);
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query('TRUNCATE notes');
});

const ids = async () => (await test.database.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).rows.map(({ id }) => id);

describe('inTransaction', () => {
  it('commits what the work did and gives its result', async () => {
    const result = await test.database.inTransaction(async (tx) => (await sql(tx, 'INSERT INTO notes VALUES (1), (2)')).count);
    expect(result).toBe(2);
    expect(await ids()).toEqual([1, 2]);
  });

  it('rolls back and lets the error through unchanged', async () => {
    const error = new Error('halfway');
    const work = test.database.inTransaction(async (tx) => {
      await sql(tx, 'INSERT INTO notes VALUES (1)');
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await ids()).toEqual([]);
  });

  // The driver hears of the abort a moment after it rejects the statement: seldom late enough to matter, so often is tried.
  it('does not resolve when a swallowed SQL error made the server turn COMMIT into ROLLBACK', async () => {
    for (let round = 0; round < 100; round++) {
      const work = test.database.inTransaction(async (tx) => {
        await sql(tx, 'INSERT INTO notes VALUES (1)');
        await sql(tx, 'INSERT INTO notes VALUES (1)').catch(() => 'swallowed');
      });
      await expect(work).rejects.toBeInstanceOf(TransactionAbortedError);
    }
    expect(await ids()).toEqual([]);
  });

  it('does not commit less than it says when nested transactions were left open', async () => {
    await test.database.inTransaction(async (tx) => {
      await tx.queryRunner?.startTransaction();
      await sql(tx, 'INSERT INTO notes VALUES (1)');
    });
    expect(await ids()).toEqual([1]);
  });

  it('does not resolve when the work ended the transaction behind its back', async () => {
    await expect(test.database.inTransaction((tx) => sql(tx, 'ROLLBACK'))).rejects.toBeInstanceOf(TransactionEndedError);
    expect(await ids()).toEqual([]);
  });

  it('commits after a failed statement that a savepoint undid', async () => {
    await test.database.inTransaction(async (tx) => {
      await sql(tx, 'INSERT INTO notes VALUES (1)');
      await sql(tx, 'SAVEPOINT attempt');
      await sql(tx, 'INSERT INTO notes VALUES (1)').catch(() => sql(tx, 'ROLLBACK TO SAVEPOINT attempt'));
    });
    expect(await ids()).toEqual([1]);
  });

  it('runs nothing when the server refuses to begin, calls that an outage, and uses the connection again', async () => {
    const single = await new Database({ url: test.url, applicationName: 'test', poolSize: 1 }).connect();
    const insert = (id: number) => single.inTransaction((tx) => sql(tx, 'INSERT INTO notes VALUES ($1)', [id]));
    const client = await single.inTransaction(clientOf);
    const query = client.query.bind(client) as (text: string) => void;
    const begin = vi.spyOn(client, 'query').mockImplementationOnce(() => query('BEGIN ISOLATION LEVEL NONE AT ALL'));
    const error = await insert(1).catch((reason: unknown) => reason);
    begin.mockRestore();
    expect(error).toMatchObject({ message: expect.stringContaining('syntax error'), cause: { code: '42601' } });
    expect(classifyDatabaseError(error)).toBe('outage');
    await insert(2);
    await single.close();
    expect(await ids()).toEqual([2]);
  });

  it('says that a connection which the server ended is an outage', async () => {
    const work = test.database.inTransaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
      await test.database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await sql(tx, 'INSERT INTO notes VALUES (1)');
    });
    const error = await work.catch((reason: unknown) => reason);
    expect(classifyDatabaseError(error)).toBe('outage');
    expect(await ids()).toEqual([]);
  });
});

describe('migrate', () => {
  const more = { name: 'CreateMore1764460800902', up: 'CREATE TABLE more (id int)' };

  it('applies each migration once, whoever asks at the same moment', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(test.url, [notes, more])));
    expect(applied.flat()).toEqual(['CreateMore1764460800902']);
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    const kept = { name: 'CreateKept1764460800903', up: 'CREATE TABLE kept (id int)' };
    const broken = { name: 'CreateBroken1764460800904', up: 'CREATE TABLE half (id int); SELECT * FROM absent' };
    await expect(migrate(test.url, [notes, more, kept, broken])).rejects.toThrow('absent');
    const { rows } = await test.database.query(`SELECT to_regclass('kept')::text AS kept, to_regclass('half')::text AS half`);
    expect(rows).toEqual([{ kept: 'kept', half: null }]);
  });
});

describe('a process that stands still', () => {
  it('does not keep others from its locks: they are told that somebody is in the way, and may ask again', async () => {
    const waited = test.database.inTransaction(async (tx) => {
      await sql(tx, 'LOCK TABLE notes');
      return test.database.query('SELECT * FROM notes').catch((error: unknown) => classifyDatabaseError(error));
    });
    expect(await waited).toBe('contention');
  });

  it('has limits for standing still in a transaction, for waiting for a lock and for a statement', async () => {
    const { rows } = await test.database.query(
      `SELECT name, setting || unit AS value FROM pg_settings 
       WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', value: '15000ms' },
      { name: 'lock_timeout', value: '5000ms' },
      { name: 'statement_timeout', value: '60000ms' },
    ]);
  });
});
