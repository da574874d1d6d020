import { outboxMigrations } from '@shopflow/outbox';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { giveReason } from './give-reason.js';
import { loadSetAside } from './load-set-aside.js';
import { markPublished } from './mark-published.js';
import { nextWaiting } from './next-waiting.js';
import { storeSetAside } from './store-set-aside.js';

let test: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  test = await createTestDatabase(outboxMigrations);
  pool = new Pool({ connectionString: test.url, max: 3, options: '-c TimeZone=UTC -c DateStyle=ISO' });
});
afterAll(async () => {
  await pool.end();
  await test.drop();
});
beforeEach(() => pool.query('TRUNCATE outbox, outbox_set_aside'));

const insert = (id: string, payload = '{"a": 1}', client: Pool | Client = pool) =>
  client.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, created_at)
     VALUES ($1, 'ORD-1', 'order.created', 3, 'orders.events', $2, '2026-01-31T12:00:00.5Z')`,
    [id, payload],
  );
const setAside = (eventId: string, reason: string | null = null, key = 'ORD-1') => ({ eventId, topic: 'orders.events', key, reason });
const next = (limit = 100, maxBytes?: number) => nextWaiting(pool, 'orders.events', 'ORD-1', limit, maxBytes);
const waiting = async () => (await next()).map(({ eventId, reason }) => [eventId, reason]);
const state = async (id: string) => (await pool.query('SELECT state FROM outbox_state WHERE id = $1', [id])).rows[0]?.state;

it('keeps the order in which events are set aside, and gives each with its row as text', async () => {
  for (const id of ['a', 'b']) await insert(id);
  await storeSetAside(pool, [setAside('b', 'too large'), setAside('a'), setAside('x', null, 'ORD-2')]);
  const [first, second] = await next();
  expect(first).toMatchObject({ eventId: 'b', reason: 'too large' });
  expect(second).toMatchObject({ eventId: 'a', reason: null });
  expect(first!.row).toEqual({
    id: 'b',
    aggregateid: 'ORD-1',
    type: 'order.created',
    version: '3',
    topic: 'orders.events',
    payload: '{"a": 1}',
    organization_id: 'shopflow',
    correlation_id: null,
    causation_id: null,
    traceparent: null,
    tracestate: null,
    created_at: '2026-01-31 12:00:00.5+00',
  });
  expect((await loadSetAside(pool)).keys).toEqual(new Set(['orders.events\nORD-1', 'orders.events\nORD-2']));
});

it('keeps the place and the reason of an event that the stream brings again, and gives a reason to one that is refused now', async () => {
  for (const id of ['a', 'b', 'c']) await insert(id);
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b'), setAside('c')]);
  await storeSetAside(pool, [setAside('a'), setAside('b'), setAside('c', 'bad\0 key'), setAside('c')]);
  expect(await waiting()).toEqual([
    ['a', 'too large'],
    ['b', null],
    ['c', 'bad  key'],
  ]);
});

it('goes on with the next one after one is published, and keeps a new reason', async () => {
  for (const id of ['a', 'b']) await insert(id);
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b')]);
  await markPublished(pool, [(await next())[0]!.seq]);
  await giveReason(pool, (await next())[0]!.seq, 'too large, too');
  expect(await waiting()).toEqual([['b', 'too large, too']]);
});

it('gives a page of bounded size, and one event of any size', async () => {
  const payload = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  for (const [id, bytes] of [['a', 900], ['b', 500], ['c', 500], ['d', 10]] as const) await insert(id, payload(bytes)); // prettier-ignore
  await storeSetAside(
    pool,
    ['a', 'b', 'c', 'd'].map((id) => setAside(id)),
  );
  const page = async (limit: number, bytes: number) => {
    const entries = await next(limit, bytes);
    await markPublished(
      pool,
      entries.map(({ seq }) => seq),
    );
    return entries.map(({ eventId }) => eventId);
  };
  expect(await page(10, 800)).toEqual(['a']);
  expect(await page(1, 1_000)).toEqual(['b']);
  expect(await page(10, 800)).toEqual(['c', 'd']);
  expect(await page(10, 800)).toEqual([]);
});

it('does not take an event for gone whose transaction others cannot see yet', async () => {
  const writer = new Client({ connectionString: test.url });
  await writer.connect();
  await writer.query('BEGIN');
  await insert('early', '{}', writer);
  await storeSetAside(pool, [setAside('early'), setAside('behind')]);
  expect((await next()).map(({ row }) => row)).toEqual(['not visible yet']);
  await writer.query('COMMIT');
  await writer.end();
  await pool.query(`UPDATE outbox_set_aside SET set_aside_at = now() - interval '1 minute' WHERE event_id = 'behind'`);
  expect(await next()).toMatchObject([{ row: { id: 'early' } }, { eventId: 'behind', row: null }]);
});

it('does not let a discarded event wait again because the stream brings it once more, but does when somebody asks for it', async () => {
  for (const id of ['a', 'b']) await insert(id);
  await storeSetAside(pool, [setAside('a', 'too large'), setAside('b')]);
  await pool.query(`UPDATE outbox_set_aside SET state = 'discarded', decided_at = now() WHERE event_id = 'a'`);
  await storeSetAside(pool, [setAside('a'), setAside('b')]);
  expect(await waiting()).toEqual([['b', null]]);
  await storeSetAside(pool, [{ ...setAside('a'), evenIfDiscarded: true }]);
  expect(await waiting()).toEqual([
    ['b', null],
    ['a', null],
  ]);
});

it('remembers which events were discarded for as long as the outbox has them', async () => {
  await insert('now');
  await storeSetAside(pool, [setAside('now', 'x'), setAside('gone', 'x', 'ORD-2')]);
  await pool.query(`UPDATE outbox_set_aside SET state = 'discarded', decided_at = now() - interval '20 days'`);
  expect(await loadSetAside(pool)).toEqual({ keys: new Set(), discarded: new Set(['now']) });
});

it('shows in the states of the events what is set aside, what is discarded, and what came out at last', async () => {
  await insert('a');
  await storeSetAside(pool, [setAside('a', 'x')]);
  expect(await state('a')).toBe('set aside');
  await pool.query(`UPDATE outbox_set_aside SET state = 'discarded', decided_at = now()`);
  expect(await state('a')).toBe('discarded');
  await storeSetAside(pool, [setAside('a', 'x')]);
  expect(await state('a')).toBe('discarded'); // the stream has brought it once more
  await storeSetAside(pool, [{ ...setAside('a', 'x'), evenIfDiscarded: true }]);
  expect(await state('a')).toBe('set aside');
  await markPublished(pool, [(await next())[0]!.seq]);
  expect(await state('a')).toBe('waiting'); // what the relay's next report makes published
});

it('stores nothing for a relay that has lost the slot', async () => {
  await insert('a');
  const lost = storeSetAside(pool, [setAside('a', 'x')], { slot: 'somebody_has_it', pid: 1 });
  await expect(lost).rejects.toThrow('this relay does not have slot somebody_has_it any more');
  expect(await waiting()).toEqual([]);
});
