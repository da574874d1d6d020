import { orderCancelled } from '@shopflow/contracts';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outboxMigrations } from './migrations.js';
import { runOutboxCommand } from './outbox-command.js';
import { Outbox } from './outbox.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase(outboxMigrations);
  const outbox = new Outbox('orders');
  await test.database.inTransaction((tx) => outbox.append(tx, orderCancelled, { orderId: 'ORD-1', reason: null }, { eventId: 'evt-1' }));
});
afterAll(() => test.drop());

const run = (...args: string[]) => runOutboxCommand(test.database, args);

it('says how much waits, and that no relay has ever reported', async () => {
  const { lines, ok } = await run('status');
  expect([ok, lines]).toEqual([true, [expect.stringMatching(/^1 waiting, the oldest for \d+\.\d s; the relay reported never$/)]]);
});

it('asks for an event to be published again, and keeps who asked and why', async () => {
  expect((await run('replay', 'evt-1', '--who', 'ngozi', '--why', 'a group was restored')).ok).toBe(true);
  const { rows } = await test.database.query('SELECT event_id, who, why FROM outbox_replays');
  expect(rows).toEqual([{ event_id: 'evt-1', who: 'ngozi', why: 'a group was restored' }]);
});

it('refuses an event that the outbox does not have', async () => {
  const { lines, ok } = await run('replay', 'evt-absent', '--who', 'ngozi', '--why', 'x');
  expect([ok, lines]).toEqual([false, [expect.stringContaining('evt-absent is not published again')]]);
});

it.each([
  [
    'refuses an event that consumers may forget before its copy is gone',
    '31 days',
    { ok: false, lines: [expect.stringContaining('more than 31 days')] },
  ],
  ['takes one that is a minute younger', '31 days -1 minutes', { ok: true }],
])('%s', async (_what, age, outcome) => {
  await test.database.query('UPDATE outbox SET created_at = now() - $1::interval', [age]);
  expect(await run('replay', 'evt-1', '--who', 'ngozi', '--why', 'x')).toMatchObject(outcome);
});

it.each([[], ['replay'], ['replay', 'evt-1'], ['replay', 'evt-1', '--who', 'ngozi'], ['replay', 'evt-1', '--who', '--why', 'x'], ['drop']])(
  'refuses %j as not understood, and does nothing',
  async (...args) => {
    const before = await test.database.query('SELECT 1 FROM outbox_replays');
    await expect(run(...args)).rejects.toThrow(expect.objectContaining({ name: 'UsageError' }));
    expect((await test.database.query('SELECT 1 FROM outbox_replays')).count).toBe(before.count);
  },
);
