import { UsageError } from '@shopflow/command-line';
import { outboxMigrations } from '@shopflow/outbox';
import { createTestDatabase, type TestDatabase, uniqueNamespace } from '@shopflow/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { giveReason } from '../set-aside/give-reason.js';
import { loadSetAside } from '../set-aside/load-set-aside.js';
import { markPublished } from '../set-aside/mark-published.js';
import { storeSetAside } from '../set-aside/store-set-aside.js';
import { runAsideCommand } from './aside.js';

let orders: TestDatabase;
let email: TestDatabase;
let pool: Pool;
const slot = `${uniqueNamespace().replaceAll('-', '_')}_aside`;
beforeAll(async () => {
  [orders, email] = await Promise.all([createTestDatabase(outboxMigrations), createTestDatabase(outboxMigrations)]);
  pool = new Pool({ connectionString: orders.url, max: 2 });
  await pool.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
});
afterAll(async () => {
  await pool.query('SELECT pg_drop_replication_slot($1)', [slot]);
  await pool.end();
  await Promise.all([orders.drop(), email.drop()]);
});
beforeEach(async () => {
  await pool.query('TRUNCATE outbox_set_aside, outbox_set_aside_decisions, relay_progress');
  await email.database.query('TRUNCATE outbox_set_aside, outbox_set_aside_decisions');
  await pool.query('SELECT pg_replication_slot_advance($1, pg_current_wal_lsn())', [slot]);
});

/** Prints, notes and how it ended. */
async function run(...args: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal = { print: async (line: string) => void printed.push(line), note: (line: string) => void noted.push(line) };
  const sources = [
    { name: 'orders', databaseUrl: orders.url },
    { name: 'email', databaseUrl: email.url },
  ];
  const { ok, lines } = await runAsideCommand({ sources, terminal }, args);
  expect(lines).toEqual([]);
  return { ok, printed, noted };
}
const BY = ['--who', 'ngozi', '--why', 'its picture was too large'];
const setAside = (eventId: string, reason: string | null, key = 'ORD-1') => ({ eventId, topic: 'orders.events', key, reason });
const waitingEntries = async (key = 'ORD-1') =>
  (await pool.query(`SELECT seq, event_id FROM outbox_set_aside WHERE state = 'waiting' AND key = $1 ORDER BY seq`, [key])).rows;
const waiting = async (key?: string) => (await waitingEntries(key)).map(({ event_id }) => event_id);
const decisions = async () => (await pool.query('SELECT event_id, what, who, why FROM outbox_set_aside_decisions ORDER BY seq')).rows;
const decided = (event_id: string, what: string) => ({ event_id, what, who: 'ngozi', why: 'its picture was too large' });
/** As the relay does once it has passed everything that is committed now. */
const relayReports = () =>
  pool.query(`INSERT INTO relay_progress (slot, system_identifier, snapshot, lsn)
    VALUES ('s', 'x', pg_current_snapshot(), pg_current_wal_lsn())`);
/** The keys that the relay is told to look at, as its stream brings them. */
async function told(): Promise<unknown[]> {
  const { rows } = await pool.query<{ data: Buffer }>(
    `SELECT data FROM pg_logical_slot_get_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', 'shopflow_outbox', 'messages', 'true')`,
    [slot],
  );
  const prefix = 'relay-aside\0';
  const messages = rows.map(({ data }) => data).filter((data) => data[0] === 0x4d /* M: Message */ && data.includes(prefix));
  return messages.map((data) => JSON.parse(data.subarray(data.indexOf(prefix) + prefix.length + 4 /* its length */).toString()));
}

it('lists each key by its head: what was refused, why, since when, and how many wait behind it', async () => {
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b', null), setAside('c', null), setAside('d', 'bad header', 'ORD-2')]);
  const { ok, printed } = await run('list', '--json');
  expect(ok).toBe(true);
  const since = expect.stringMatching(/^\d{4}-.*Z$/);
  const never = { retryAskedAt: null, retryAskedBy: null };
  expect(printed.map((line) => JSON.parse(line))).toEqual([
    {
      source: 'orders',
      topic: 'orders.events',
      key: 'ORD-1',
      eventId: 'a',
      reason: 'too large',
      since,
      refusedAt: since,
      behind: 2,
      ...never,
    },
    {
      source: 'orders',
      topic: 'orders.events',
      key: 'ORD-2',
      eventId: 'd',
      reason: 'bad header',
      since,
      refusedAt: since,
      behind: 0,
      ...never,
    },
  ]);
  expect((await run('list', '--key', 'ORD-2')).printed[1]).toMatch(/^orders  orders\.events  ORD-2  d      \S+       0  bad header$/);
  expect((await run('list', '--source', 'email')).printed).toEqual(['nothing is set aside']);
});

it('asks the relay for a retry once, with who and why, until the relay has come to it', async () => {
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b', null)]);
  expect(await run('retry', 'a', ...BY)).toMatchObject({
    ok: true,
    printed: ['a  retry asked: the relay tries it again, then the one behind it'],
  });
  const again = await run('retry', 'a', ...BY);
  expect(again).toMatchObject({
    ok: true,
    printed: [expect.stringMatching(/^a {2}nothing to do: ngozi asked for a retry at .*Z and the relay has not come/)],
  });
  expect(await told()).toEqual([{ topic: 'orders.events', key: 'ORD-1' }]);
  expect(await decisions()).toEqual([decided('a', 'retry')]);
  expect((await run('list')).printed[1]).toContain('too large (ngozi asked for a retry at');

  await giveReason(pool, (await waitingEntries())[0].seq, 'still too large');
  expect((await run('retry', 'a', ...BY)).printed[0]).toContain('retry asked');
  await relayReports();
  expect((await run('retry', '--key', 'ORD-1', ...BY)).printed[0]).toContain('retry asked');
});

it('gives up a refused event, and tells the relay to go on with those behind it', async () => {
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b', null)]);
  expect(await run('discard', 'a', ...BY)).toMatchObject({
    ok: true,
    printed: ['a  discarded: it is never published; the one behind it can go on'],
  });
  expect(await waiting()).toEqual(['b']);
  expect((await loadSetAside(pool)).keys).toEqual(new Set(['orders.events\nORD-1']));
  expect(await told()).toEqual([{ topic: 'orders.events', key: 'ORD-1' }]);
  expect(await decisions()).toEqual([decided('a', 'discard')]);

  const again = await run('discard', 'a', ...BY);
  expect(again).toMatchObject({ ok: true, printed: [expect.stringMatching(/^a {2}nothing to do: discarded at .*Z by ngozi$/)] });
  expect((await run('discard', 'b', ...BY)).printed[0]).toContain('b  refused: Kafka has not refused it');
  expect(await decisions()).toHaveLength(1);
  expect(await told()).toEqual([]);
});

it('refuses to give up, or to retry, what only waits behind another one, and names that one', async () => {
  await storeSetAside(
    pool,
    ['a', 'b', 'c', 'd'].map((id) => setAside(id, id === 'a' ? 'too large' : null)),
  );
  expect(await run('discard', 'b', ...BY)).toMatchObject({
    ok: false,
    printed: [expect.stringContaining('b  refused: it waits behind a (key ORD-1 of orders.events); decide about that one')],
  });
  expect(await run('retry', 'b', ...BY)).toMatchObject({ ok: false, printed: [expect.stringContaining('retry or discard that one')] });

  expect((await run('discard', 'c', '--behind', ...BY)).printed).toEqual(['c  discarded: it is never published, nor the one behind it']);
  expect(await waiting()).toEqual(['a', 'b']);
  expect(await told()).toEqual([]);
  expect(await decisions()).toEqual([decided('c', 'discard'), decided('d', 'discard')]);
  await run('discard', 'a', '--behind', ...BY);
  expect(await waiting()).toEqual([]);
  expect(await told()).toHaveLength(1);
});

it('says what would be done, and does nothing, when asked for a preview', async () => {
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b', 'bad header', 'ORD-2')]);
  const { printed } = await run('discard', '--all', '--dry-run');
  expect(printed).toEqual(['a  would be discarded: it is never published', 'b  would be discarded: it is never published']);
  expect([await waiting(), await waiting('ORD-2'), await decisions(), await told()]).toEqual([['a'], ['b'], [], []]);
});

it('decides about every head, and about events by name, in the source that has them', async () => {
  await storeSetAside(pool, [
    setAside('a', 'too large'),
    setAside('b', null),
    setAside('c', 'bad header', 'ORD-2'),
    setAside('both', 'x', 'ORD-3'),
  ]);
  await email.database.query(`INSERT INTO outbox_set_aside (event_id, topic, key, reason, refused_at)
    VALUES ('e', 'emails.events', 'ORD-1', 'too large', now()), ('both', 'emails.events', 'ORD-9', 'too large', now())`);
  const named = await run('discard', 'none', 'e', 'both', ...BY, '--json');
  expect(named.ok).toBe(false);
  expect(named.printed.map((line) => JSON.parse(line))).toMatchObject([
    { eventId: 'none', result: 'refused', detail: 'it was never set aside in orders and email; see: aside list' },
    { source: 'email', eventId: 'e', topic: 'emails.events', key: 'ORD-1', result: 'discarded' },
    { eventId: 'both', result: 'refused', detail: 'it is set aside in orders and email: say which with --source' },
  ]);
  const all = await run('retry', '--all', ...BY, '--json');
  expect(all.printed.map((line) => JSON.parse(line))).toMatchObject([
    { source: 'orders', eventId: 'a', result: 'retry asked' },
    { source: 'orders', eventId: 'c', result: 'retry asked' },
    { source: 'orders', eventId: 'both', result: 'retry asked' },
    { source: 'email', eventId: 'both', result: 'retry asked' },
  ]);
  expect(await told()).toHaveLength(3);
});

it('calls an event published that Kafka took while it was being discarded', async () => {
  await storeSetAside(pool, [setAside('a', 'too large')]);
  const [{ seq }] = await waitingEntries();
  await run('discard', 'a', ...BY);
  await markPublished(pool, [seq]);
  expect((await run('retry', 'a', ...BY)).printed[0]).toMatch(/^a {2}nothing to do: published at /);
  expect((await loadSetAside(pool)).discarded).toEqual(new Set());
});

it('goes on with the other sources when one does not answer, and fails', async () => {
  await storeSetAside(pool, [setAside('a', 'too large')]);
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal = { print: async (line: string) => void printed.push(line), note: (line: string) => void noted.push(line) };
  const gone = { name: 'gone', databaseUrl: 'postgres://postgres@127.0.0.1:1/gone' };
  const { ok } = await runAsideCommand({ sources: [gone, { name: 'orders', databaseUrl: orders.url }], terminal }, ['retry', 'a', ...BY]);
  expect([ok, printed.length, noted]).toEqual([false, 1, [expect.stringContaining('source gone: connect ECONNREFUSED')]]);
});

it.each([
  [['retry', 'a', '--why', 'x'], '--who is missing'],
  [['discard', 'a', '--who', 'x'], '--why is missing'],
  [['discard', ...BY], 'discard needs event ids, --key <key>'],
  [['retry', 'a', '--all', ...BY], 'not both'],
  [['retry', 'a', '--behind', ...BY], '--behind is for discard'],
  [['list', 'a'], 'list takes no a'],
  [['lst'], 'no command aside "lst"'],
  [['list', '--source', 'ordrs'], 'no source "ordrs"'],
])('does not guess what %j means', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(UsageError);
  await expect(run(...args)).rejects.toThrow(message);
});
