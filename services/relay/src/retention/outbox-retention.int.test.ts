import { outboxMigrations } from '@shopflow/outbox';
import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { deletePublished } from './delete-published.js';
import { isBehind } from './is-behind.js';
import { OutboxRetention, type RetentionSettings } from './outbox-retention.js';

const progress = { slot: 'shopflow_orders', systemIdentifier: '7' };
let test: TestDatabase;
let pool: Pool;
let retention: OutboxRetention | undefined;
let failures: unknown[];
let deleted: number[];

beforeAll(async () => {
  test = await createTestDatabase(outboxMigrations);
  pool = new Pool({ connectionString: test.url, application_name: 'relay', max: 2 });
});
beforeEach(async () => {
  [failures, deleted] = [[], []];
  await query('TRUNCATE outbox, outbox_replays, outbox_set_aside, outbox_set_aside_decisions, relay_progress');
});
afterEach(async () => {
  await retention?.stop();
  expect(failures).toEqual([]);
});
afterAll(async () => {
  await pool.end();
  await test.drop();
});

const query = async (text: string, values: readonly unknown[] = []) => (await test.database.query(text, values)).rows;

const insert = (id: string, days: number) =>
  query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, created_at)
     VALUES ($1, 'ORD-1', 'order.created', 1, 'orders.events', '{}', now() - make_interval(days => $2))`,
    [id, days],
  );
const replay = (id: string, days: number) =>
  query(`INSERT INTO outbox_replays (event_id, who, why, created_at) VALUES ($1, 'ada', 'x', now() - make_interval(days => $2))`, [
    id,
    days,
  ]);
const setAside = (id: string, state: string, days: number | null) =>
  query(
    `INSERT INTO outbox_set_aside (event_id, topic, key, state, decided_at)
     VALUES ($1, 'orders.events', 'ORD-1', $2, now() - make_interval(days => $3))`,
    [id, state, days],
  );
const publishAll = ({ slot, systemIdentifier } = progress) =>
  query(
    `INSERT INTO relay_progress (slot, system_identifier, snapshot, lsn) VALUES ($1, $2, pg_current_snapshot(), '0/1')
     ON CONFLICT (only_row) DO UPDATE SET snapshot = EXCLUDED.snapshot`,
    [slot, systemIdentifier],
  );
const kept = async (table = 'outbox', column = 'id') =>
  (await query(`SELECT ${column} AS id FROM ${table} ORDER BY seq`)).map(({ id }) => String(id));

function starts(settings: Partial<RetentionSettings> = {}): void {
  retention = new OutboxRetention({
    pool,
    progress,
    settings: { days: 35, everyMs: 20, share: 0.9, giveWayMs: 20, ...settings },
    clock: () => new Date(),
    onDeleted: (rows) => deleted.push(rows),
    onFailure: (error) => failures.push(error),
  });
  retention.start();
}
const holds = (...ids: string[]) => eventually(async () => expect(await kept()).toEqual(ids));

it('deletes what is published and old, and keeps what is younger, waits to be published, or is set aside', async () => {
  await insert('old', 36);
  await insert('set-aside', 36);
  await insert('given-up', 36);
  await setAside('set-aside', 'waiting', null);
  await setAside('given-up', 'discarded', 35);
  await insert('young', 34);
  await replay('old', 36);
  await replay('young', 1);
  await publishAll();
  starts();
  await holds('set-aside', 'young');
  await eventually(async () => expect(await kept('outbox_replays', 'event_id')).toEqual(['young']));
  expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(3);
});

it('keeps an old event that no relay has published yet, and deletes it once one has', async () => {
  await publishAll();
  await insert('late', 36);
  const page = { after: '0', rows: 10, before: new Date() };
  expect(await deletePublished(pool, 'outbox', progress, page)).toMatchObject({ deleted: 0 });
  await publishAll();
  expect(await deletePublished(pool, 'outbox', progress, page)).toMatchObject({ deleted: 1 });
});

it('gives way while events wait to be published', async () => {
  await insert('old', 40);
  await publishAll();
  await insert('waits', 1);
  starts();
  await eventually(async () => expect(await isBehind(pool)).toBe(true));
  expect([await kept(), deleted]).toEqual([['old', 'waits'], []]);
  await publishAll();
  await holds('waits');
});

it('lets a table that somebody has locked be, and goes on when it is free', async () => {
  await insert('old', 40);
  await publishAll();
  const locking = test.database.dataSource.createQueryRunner();
  await locking.startTransaction();
  await locking.query('LOCK TABLE outbox IN SHARE MODE');
  starts();
  await eventually(() => failures.length > 0);
  expect(String(failures.splice(0)[0])).toContain('lock timeout');
  await locking.commitTransaction();
  await locking.release();
  await holds();
  failures = [];
});

it('deletes an entry that was decided about long ago once its event is gone, and keeps who decided', async () => {
  await setAside('done', 'published', 36);
  await setAside('recent', 'published', 2);
  await setAside('head', 'waiting', null);
  await query(
    `INSERT INTO outbox_set_aside_decisions (set_aside_seq, event_id, topic, key, what, who, why) VALUES (1, 'done', 't', 'k', 'retry', 'ada', 'x')`,
  );
  await publishAll();
  starts();
  await eventually(async () => expect(await kept('outbox_set_aside', 'event_id')).toEqual(['recent', 'head']));
  expect(await query('SELECT who FROM outbox_set_aside_decisions')).toEqual([{ who: 'ada' }]);
});

it.each([
  ['of another cluster', { ...progress, systemIdentifier: '8' }],
  ['of another slot', { ...progress, slot: 'demo_orders' }],
])('deletes nothing where the progress is %s', async (_what, other) => {
  await insert('old', 36);
  await publishAll(other);
  starts();
  await eventually(() => deleted.length > 2);
  expect(await kept()).toEqual(['old']);
});

it('goes through many batches, and goes on from there when more has grown old', async () => {
  for (let n = 0; n < 7; n++) await insert(`old-${n}`, 40);
  await insert('next', 34);
  await publishAll();
  starts({ batchRows: 3 });
  await holds('next');
  expect(deleted.filter((rows) => rows > 0)).toEqual([3, 3, 1]);
  await query(`UPDATE outbox SET created_at = now() - interval '36 days'`);
  await publishAll();
  await holds();
});
