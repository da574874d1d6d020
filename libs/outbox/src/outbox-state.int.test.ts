import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { outboxMigrations } from './migrations.js';
import { ReplayRefusedError, requestReplay } from './request-replay.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase(outboxMigrations);
});
afterAll(() => test.drop());
beforeEach(() => test.database.query('TRUNCATE outbox, outbox_replays, relay_progress'));

const query = async (text: string, values: unknown[] = []) => (await test.database.query(text, values)).rows;
const insert = (id: string, ageSeconds = 0) =>
  query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, created_at)
     VALUES ($1, 'ORD-1', 'order.created', 1, 'orders.events', '{}', now() - make_interval(secs => $2))`,
    [id, ageSeconds],
  );
/** As the relay does when everything up to its own snapshot is accepted. */
const relayReports = () =>
  query(
    `INSERT INTO relay_progress (slot, system_identifier, snapshot, lsn) VALUES ('s', '1', pg_current_snapshot(), pg_current_wal_lsn())
     ON CONFLICT (only_row) DO UPDATE SET snapshot = EXCLUDED.snapshot, lsn = EXCLUDED.lsn`,
  );
const states = async () => (await query('SELECT state FROM outbox_state ORDER BY seq')).map((row) => row['state']);

it('says of each event whether it is published, and how many wait since when', async () => {
  await insert('first', 60);
  expect(await states()).toEqual(['waiting']);
  await relayReports();
  expect(await states()).toEqual(['published']);
  await insert('second', 30);
  await insert('third', 20);
  expect(await states()).toEqual(['published', 'waiting', 'waiting']);
  const [backlog] = await query('SELECT * FROM outbox_backlog');
  expect(backlog).toMatchObject({ waiting: '2' });
  expect(backlog?.['oldest_age_seconds']).toBeGreaterThanOrEqual(30);
  expect(backlog?.['oldest_age_seconds']).toBeLessThan(45);
});

it('counts an event that commits late as waiting, though later ones are published', async () => {
  const early = test.database.dataSource.createQueryRunner();
  await early.startTransaction();
  await early.query(`INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('late', 'ORD-1', 't', 1, 'o', '{}')`);
  await insert('overtakes');
  await relayReports();
  await early.commitTransaction();
  await early.release();
  expect(await query('SELECT id, state FROM outbox_state ORDER BY seq')).toEqual([
    { id: 'late', state: 'waiting' },
    { id: 'overtakes', state: 'published' },
  ]);
  expect(await query('SELECT waiting FROM outbox_backlog')).toEqual([{ waiting: '1' }]);
});

it('finds what waits by index when nearly all of a large outbox is published', async () => {
  await query(`INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
    SELECT n, 'ORD-1', 't', 1, 'o', '{}' FROM generate_series(1, 20000) n`);
  await query('ANALYZE outbox');
  await relayReports();
  const plan = await query('EXPLAIN SELECT * FROM outbox_backlog');
  expect(JSON.stringify(plan)).toContain('outbox_xid');
});

it('counts a requested replay as waiting until the relay has passed it', async () => {
  await insert('evt-1');
  await relayReports();
  await requestReplay(test.database, { eventId: 'evt-1', who: 'ada', why: 'consumer lost it' });
  const replays = () => query('SELECT event_id, who, why, state FROM outbox_replays_state');
  expect(await replays()).toEqual([{ event_id: 'evt-1', who: 'ada', why: 'consumer lost it', state: 'waiting' }]);
  expect(await query('SELECT waiting FROM outbox_backlog')).toEqual([{ waiting: '1' }]);
  await relayReports();
  expect(await replays()).toMatchObject([{ state: 'published' }]);
});

it('refuses to publish again what it does not have, and what consumers have forgotten', async () => {
  await insert('evt-old', 46 * 86_400);
  const unknown = requestReplay(test.database, { eventId: 'evt-none', who: 'ada', why: '?' });
  await expect(unknown).rejects.toThrow('event evt-none is not published again: the outbox does not have it');
  await expect(requestReplay(test.database, { eventId: 'evt-old', who: 'ada', why: '?' })).rejects.toThrow(ReplayRefusedError);
  expect(await query('SELECT * FROM outbox_replays')).toEqual([]);
});
