import { requestReplay } from '@shopflow/outbox';
import { eventually, readTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { INSERT, reaches, RelayBed } from '../test-support/relay-bed.js';
import { reportSource } from './source-report.js';

let bed: RelayBed;

beforeEach(async () => {
  bed = await RelayBed.create();
});
afterEach(() => bed.remove());

it('publishes an event with its key, payload and CloudEvents headers', async () => {
  bed.relay();
  await bed.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate, created_at)
     VALUES ('evt-ORD-1001', 'ORD-1001', 'order.created', 3, 'orders.events', '{"b":1,"a":{"é":"ü"}}', 'acme', 'req-7f3a', 'evt-0', '00-aa-bb-01', 'x=y',
             '2026-01-31 13:00:00.5+01')`,
  );
  const [record] = await eventually(async () => {
    const records = await readTopic(bed.topic);
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
  await bed.insert('a');
  await bed.insert('b');
  await bed.active();
  await bed.insert('c');
  await bed.holds('a', 'b', 'c');
});

it('publishes in the order of commits, not of inserts, and never what was rolled back', async () => {
  await bed.active();
  const late = bed.database.database.dataSource.createQueryRunner();
  await late.startTransaction();
  await late.query(INSERT, ['late', 'ORD-1', '{}']);
  const undone = bed.database.database.dataSource.createQueryRunner();
  await undone.startTransaction();
  await undone.query(INSERT, ['undone', 'ORD-1', '{}']);
  await bed.insert('first');
  await undone.rollbackTransaction();
  await late.commitTransaction();
  await bed.insert('last');
  await Promise.all([late.release(), undone.release()]);
  await bed.holds('first', 'late', 'last');
});

it('publishes an event again when asked, with the same bytes, in the order of the stream', async () => {
  await bed.insert('a');
  await bed.active();
  await bed.holds('a');
  await requestReplay(bed.database.database, { eventId: 'a', who: 'ada', why: 'test' });
  await bed.insert('b');
  await bed.holds('a', 'a', 'b');
  const [first, again] = await readTopic(bed.topic);
  expect(again?.value).toEqual(first?.value);
  expect(again?.headers).toEqual(first?.headers);
});

it('publishes an event once, not twice, at the start of a new slot though its replay was asked for before', async () => {
  await bed.insert('a');
  await requestReplay(bed.database.database, { eventId: 'a', who: 'ada', why: 'test' });
  await bed.active();
  await bed.insert('b');
  await bed.holds('a', 'b');
});

it('publishes an event and its replay of one transaction, and passes over a replay of an unknown event', async () => {
  await bed.active();
  await bed.query(`INSERT INTO outbox_replays (event_id, who, why) VALUES ('none', 'ada', 'by hand')`);
  await bed.database.database.inTransaction(async (tx) => {
    await tx.query(`INSERT INTO outbox_replays (event_id, who, why) VALUES ('a', 'ada', 'by hand')`);
    await tx.query(INSERT, ['a', 'ORD-1', '{}']);
  });
  await bed.holds('a', 'a');
});

it('says in the database and in its report what is published, what waits and since when', async () => {
  const relay = await bed.active();
  await bed.insert('a');
  await eventually(async () => expect(await bed.query('SELECT id, state FROM outbox_state')).toEqual([{ id: 'a', state: 'published' }]));
  await relay.stop();
  await bed.insert('b');
  expect(await bed.query('SELECT id, state FROM outbox_state ORDER BY seq')).toMatchObject([{ state: 'published' }, { state: 'waiting' }]);
  const second = bed.relay();
  await eventually(async () => {
    const report = await reportSource('orders', second);
    expect(report).toMatchObject({ source: 'orders', state: 'active', published: 1, database: { waiting: 0, oldestAgeSeconds: 0 } });
    expect(report.database?.slotLagBytes).toBeGreaterThanOrEqual(0);
    return true;
  });
});

it('lets one of two relays publish, and the other take over as soon as it stops', async () => {
  const first = await bed.active();
  const second = bed.relay();
  await reaches(second, 'standby');
  await bed.insert('a');
  await bed.holds('a');
  await first.stop();
  await reaches(second, 'active');
  await bed.insert('b');
  await bed.holds('a', 'b');
  expect([first.status.published, second.status.published]).toEqual([1, 1]);
});

it('says which transaction a new slot waits for, and can be stopped meanwhile', async () => {
  const writer = bed.database.database.dataSource.createQueryRunner();
  await writer.startTransaction();
  await writer.query('SELECT pg_current_xact_id()');
  const relay = bed.relay();
  await reaches(relay, 'waiting for database');
  expect(relay.status.reason).toMatch(/^the new slot waits for the transaction of process \d+ \(/);
  await relay.stop();
  expect(await bed.query('SELECT slot_name FROM pg_replication_slots WHERE slot_name = $1', [relay.slot])).toEqual([]);
  await writer.commitTransaction();
  await writer.release();
});
