import { outboxMigrations, requestReplay } from '@shopflow/outbox';
import {
  createTestDatabase,
  eventually,
  kafkaBrokers,
  readTopic,
  type TestDatabase,
  testLogger,
  uniqueNamespace,
  uniqueTopic,
} from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportSource } from './source-report.js';
import { SourceRelay } from './source-relay.js';

let test: TestDatabase;
let namespace: string;
let topic: string;
let relays: SourceRelay[];

beforeEach(async () => {
  namespace = uniqueNamespace();
  relays = [];
  [test, topic] = await Promise.all([
    createTestDatabase(outboxMigrations),
    uniqueTopic({ namespace, name: 'orders.events', partitions: 3 }),
  ]);
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await test.drop();
});

function startRelay(overrides: Partial<ConstructorParameters<typeof SourceRelay>[0]> = {}): SourceRelay {
  const relay = new SourceRelay({
    name: 'orders',
    databaseUrl: test.url,
    namespace,
    brokers: kafkaBrokers(),
    logger: testLogger('relay', process.env['LOG'] ?? 'fatal'),
    ...overrides,
  });
  relays.push(relay);
  relay.start();
  return relay;
}

const query = async (text: string, values: unknown[] = []) => (await test.database.query(text, values)).rows;
const insert = (id: string, key = 'ORD-1') =>
  query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ($1, $2, 'order.created', 1, 'orders.events', '{"n": 1}')`,
    [id, key],
  );
const published = async () => (await readTopic(topic)).map(({ headers }) => String(headers?.['ce_id']));
const publishes = (...ids: string[]) => eventually(async () => expect(await published()).toEqual(ids));
const state = (relay: SourceRelay, wanted: string) => eventually(() => relay.status.state === wanted, { message: `state ${wanted}` });

it('publishes an event with its key, payload and CloudEvents headers', async () => {
  startRelay();
  await query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate, created_at)
     VALUES ('evt-ORD-1001', 'ORD-1001', 'order.created', 3, 'orders.events', '{"b":1,"a":{"é":"ü"}}', 'acme', 'req-7f3a', 'evt-0', '00-aa-bb-01', 'x=y',
             '2026-01-31 13:00:00.5+01')`,
  );
  const [record] = await eventually(async () => {
    const records = await readTopic(topic);
    return records.length > 0 && records;
  });
  expect(String(record?.key)).toBe('ORD-1001');
  expect(JSON.parse(String(record?.value))).toEqual({ b: 1, a: { é: 'ü' } });
  const headers = Object.fromEntries(Object.entries(record?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  expect(headers).toEqual({
    ce_specversion: '1.0',
    ce_id: 'evt-ORD-1001',
    ce_type: 'order.created',
    ce_source: 'orders',
    ce_subject: 'ORD-1001',
    ce_time: '2026-01-31T12:00:00.500Z',
    'content-type': 'application/json',
    ce_dataversion: '3',
    ce_organizationid: 'acme',
    ce_correlationid: 'req-7f3a',
    ce_causationid: 'evt-0',
    traceparent: '00-aa-bb-01',
    tracestate: 'x=y',
  });
});

it('publishes first what waited in the outbox before the relay ever ran, then what comes', async () => {
  await insert('a');
  await insert('b');
  const relay = startRelay();
  await state(relay, 'publishing');
  await insert('c');
  await publishes('a', 'b', 'c');
});

it('publishes in the order of commits, not of inserts, and never what was rolled back', async () => {
  await state(startRelay(), 'publishing');
  const late = test.database.dataSource.createQueryRunner();
  await late.startTransaction();
  await late.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('late', 'ORD-1', 't', 1, 'orders.events', '{}')`,
  );
  const undone = test.database.dataSource.createQueryRunner();
  await undone.startTransaction();
  await undone.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('no', 'ORD-1', 't', 1, 'orders.events', '{}')`,
  );
  await insert('first');
  await undone.rollbackTransaction();
  await late.commitTransaction();
  await insert('last');
  await Promise.all([late.release(), undone.release()]);
  await publishes('first', 'late', 'last');
});

it('publishes an event again when asked, with the same bytes, in the order of the stream', async () => {
  await insert('a');
  await state(startRelay(), 'publishing');
  await publishes('a');
  await requestReplay(test.database, { eventId: 'a', who: 'ada', why: 'test' });
  await insert('b');
  await publishes('a', 'a', 'b');
  const [first, again] = await readTopic(topic);
  expect(again?.value).toEqual(first?.value);
  expect(again?.headers).toEqual(first?.headers);
});

it('publishes an event and its replay of one transaction, and passes over a replay of an unknown event', async () => {
  await state(startRelay(), 'publishing');
  await query(`INSERT INTO outbox_replays (event_id, who, why) VALUES ('none', 'ada', 'by hand')`);
  await test.database.inTransaction(async (tx) => {
    await tx.query(`INSERT INTO outbox_replays (event_id, who, why) VALUES ('a', 'ada', 'by hand')`);
    await tx.query(
      `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('a', 'ORD-1', 't', 1, 'orders.events', '{}')`,
    );
  });
  await publishes('a', 'a');
});

it('says in the database and in its report what is published, what waits and since when', async () => {
  const relay = startRelay();
  await state(relay, 'publishing');
  await insert('a');
  await eventually(async () => expect(await query('SELECT id, state FROM outbox_state')).toEqual([{ id: 'a', state: 'published' }]));
  await relay.stop();
  await insert('b');
  expect(await query('SELECT id, state FROM outbox_state ORDER BY seq')).toMatchObject([{ state: 'published' }, { state: 'waiting' }]);
  const second = startRelay();
  await eventually(async () => {
    const report = await reportSource('orders', second);
    expect(report).toMatchObject({ source: 'orders', state: 'publishing', published: 1, database: { waiting: 0, oldestAgeSeconds: 0 } });
    expect(report.database?.slotLagBytes).toBeGreaterThanOrEqual(0);
    return true;
  });
});

it('lets one of two relays publish, and the other take over as soon as it stops', async () => {
  const first = startRelay();
  await state(first, 'publishing');
  const second = startRelay();
  await state(second, 'standby');
  await insert('a');
  await publishes('a');
  await first.stop();
  await state(second, 'publishing');
  await insert('b');
  await publishes('a', 'b');
  expect([first.status.published, second.status.published]).toEqual([1, 1]);
});
