import type { Database } from '@shopflow/database';
import { createTestDatabase, eventually, type TestDatabase, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noticeDue } from '../ledger/due-notice.js';
import { DueSignal } from './due-signal.js';

let db: TestDatabase;
let notices = 0;
let signal: DueSignal;
beforeAll(async () => {
  db = await createTestDatabase([]);
  signal = new DueSignal(db.url, () => void notices++, testLogger());
  await signal.start();
});
afterAll(async () => {
  await signal.stop();
  await db.drop();
});

it('tells of a due delivery when its transaction commits, not before', async () => {
  await eventually(() => notices === 1, { message: 'what became due before it listened' });
  await db.database.inTransaction(async (tx) => {
    await noticeDue(tx);
    await db.database.query('SELECT 1');
    expect(notices).toBe(1);
  });
  await eventually(() => notices === 2);
});

it('listens again after its connection was lost, and looks for what it missed', async () => {
  const before = notices;
  await db.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'email-due' AND datname = current_database()`,
  );
  await db.database.inTransaction(noticeDue); // nobody hears it
  await eventually(() => notices > before, { message: 'it looks after connecting again' });
  const heard = notices;
  await db.database.inTransaction(noticeDue);
  await eventually(() => notices > heard);
});

it('does not listen any more once it is stopped', async () => {
  const other = new DueSignal(db.url, () => {}, testLogger());
  const starting = other.start();
  await other.stop();
  await starting;
  const listeners = async (database: Database) =>
    (
      await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'email-due' AND datname = current_database()`,
      )
    ).rows[0]?.n;
  await eventually(async () => (await listeners(db.database)) === 1, { message: 'only the first one is left' });
});
