import { outboxMigrations } from '@shopflow/outbox';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Arrival } from './arrivals.js';
import { EventRow } from './event-row.js';
import { SELECT_OUTBOX } from './find-replayed.js';
import { OUTBOX_COLUMNS, type OutboxRow } from './outbox-row.js';
import { asText } from '../set-aside/aside-key.js';
import { INSERT, readPgOutput } from '../replication/pgoutput.js';
import { ReadArrivals } from '../replication/read-arrivals.js';
import { Client } from 'pg';

const SLOT_CHANGES = `
  SELECT data FROM pg_logical_slot_get_binary_changes(
    (SELECT slot_name FROM pg_replication_slots WHERE database = current_database()), NULL, NULL,
    'proto_version', '1', 'publication_names', 'shopflow_outbox')`;

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase(outboxMigrations);
  client = new Client({ connectionString: database.url, options: '-c TimeZone=UTC -c DateStyle=ISO' });
  await client.connect();
  await client.query(
    `SELECT pg_create_logical_replication_slot('row_' || (SELECT oid FROM pg_database WHERE datname = current_database()), 'pgoutput')`,
  );
});
afterEach(async () => {
  await client.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()');
  await client.end();
  await database.drop();
});

it('reads the same from the log as from a query, with all columns and with those alone that must be there', async () => {
  await client.query('ALTER TABLE outbox ADD COLUMN added_later text');
  await client.query(`
    INSERT INTO outbox (id, aggregateid, type, version, topic, payload, correlation_id, causation_id, traceparent, tracestate, created_at, added_later)
    VALUES ('évt-1', 'ORD-ü', 'order.created', 2147483647, 'orders.events', '{"b":1,"a":{"é":[]}}', '', 'evt-0', '00-aa-bb-01', 'x=y', '2026-01-31 13:00:00.5+01', 'x')`);
  await client.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('b', 'ORD-1', 't', 1, 'orders.events', '""')`,
  );
  const { rows } = await client.query<OutboxRow>({ text: `SELECT ${SELECT_OUTBOX} FROM outbox ORDER BY seq`, types: asText });
  const queried = rows.map((row) => textsOf(EventRow.fromColumns(row)));
  expect(queried[0]).toMatchObject({
    id: 'évt-1',
    version: '2147483647',
    payload: '{"a": {"é": []}, "b": 1}',
    created_at: '2026-01-31 12:00:00.5+00',
  });
  expect(queried[1]).toMatchObject({ correlation_id: null, tracestate: null });
  expect((await readLog()).map(textsOf)).toEqual(queried);
});

const textsOf = (row: EventRow) => Object.fromEntries(OUTBOX_COLUMNS.map((column) => [column, row.text(column)]));

async function readLog(): Promise<EventRow[]> {
  const arrivals: Arrival[] = [];
  const reader = new ReadArrivals(
    (arrival) => arrivals.push(arrival),
    () => {},
  );
  for (const { data } of (await client.query<{ data: Buffer }>(SLOT_CHANGES)).rows) {
    if (data[0] === INSERT) reader.insert(data, 0, data.length);
    else if (data[0] === 0x52 /* R */) reader.output(readPgOutput(data)!);
  }
  return arrivals as EventRow[];
}
