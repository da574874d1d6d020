import type { EventEnvelope } from '@shopflow/contracts';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditFilter, AuditLog } from './audit-log.js';
import { migrations } from './persistence/migrations.js';

let test: TestDatabase;
let log: AuditLog;
beforeAll(async () => {
  test = await createTestDatabase(migrations);
  log = new AuditLog(test.database);
});
afterAll(() => test.drop());

const event = (id: string, orderId: string, correlationId: string | null, organizationId = 'shopflow'): EventEnvelope => ({
  id,
  type: 'order.created',
  version: 1,
  source: 'orders',
  subject: orderId,
  time: new Date('2026-10-05T08:00:00.123Z'),
  correlationId,
  causationId: null,
  organizationId,
  traceparent: null,
  tracestate: null,
  payload: {},
});

const appendAbout = (invoice: string | null, ...events: EventEnvelope[]) =>
  test.database.inTransaction((tx) =>
    log.append(
      tx,
      events.map((each) => ({ event: each, payload: '{"b":1, "a":2}', line: `line of ${each.id}`, invoice })),
    ),
  );
const append = (...events: EventEnvelope[]) => appendAbout(null, ...events);
const find = (filter: Partial<AuditFilter>) => log.find({ organizationId: 'shopflow', after: 0, limit: 10, ...filter });

describe('AuditLog', () => {
  it('records an event with its ids, its version as published, its time and its line', async () => {
    await append(event('evt-1', 'ORD-1', 'req-1'));
    const [entry] = await find({ orderId: 'ORD-1' });
    expect(entry).toMatchObject({ eventId: 'evt-1', source: 'orders', type: 'order.created', version: 1, orderId: 'ORD-1' });
    expect(entry).toMatchObject({ correlationId: 'req-1', causationId: null, line: 'line of evt-1', payload: { a: 2, b: 1 } });
    expect(entry?.occurredAt.toISOString()).toBe('2026-10-05T08:00:00.123Z');
  });

  it('keeps the payload byte for byte', async () => {
    const { rows } = await test.database.query(`SELECT payload::text AS text FROM audit_log WHERE event_id = 'evt-1'`);
    expect(rows).toEqual([{ text: '{"b":1, "a":2}' }]);
  });

  it('finds by correlation id over several orders, and page by page in the order of recording', async () => {
    await append(event('evt-2', 'ORD-2', 'req-9'), event('evt-3', 'ORD-3', 'req-9'), event('evt-4', 'ORD-3', null));
    const first = await find({ correlationId: 'req-9', limit: 1 });
    const second = await find({ correlationId: 'req-9', after: first[0]?.seq ?? -1 });
    expect([...first, ...second].map(({ eventId }) => eventId)).toEqual(['evt-2', 'evt-3']);
    expect(await find({ orderId: 'ORD-3', correlationId: 'req-9' })).toHaveLength(1);
  });

  it('finds all that happened to an invoice, whether or not it has an order', async () => {
    await appendAbout('INV-0004', event('evt-5', 'INV-0004', 'req-11'), event('evt-6', 'INV-0004', 'cron-2026-10-05'));
    await appendAbout('INV-0001', event('evt-7', 'ORD-5', null));
    const found = async (invoice: string) => (await find({ invoice })).map(({ eventId, orderId }) => [eventId, orderId]);
    expect(await found('INV-0004')).toEqual([
      ['evt-5', 'INV-0004'],
      ['evt-6', 'INV-0004'],
    ]);
    expect(await found('INV-0001')).toEqual([['evt-7', 'ORD-5']]);
  });

  it("shows nothing of another organization's", async () => {
    await append(event('evt-8', 'ORD-8', 'req-8', 'acme'));
    expect(await find({ orderId: 'ORD-8' })).toEqual([]);
    expect(await find({ orderId: 'ORD-8', organizationId: 'acme' })).toMatchObject([{ eventId: 'evt-8', organizationId: 'acme' }]);
  });

  it.each(['UPDATE audit_log SET line = $$x$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])('refuses %s', async (statement) => {
    await expect(test.database.query(statement)).rejects.toThrow('audit_log is append-only');
  });
});
