import type { EventEnvelope } from '@shopflow/contracts';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditLog } from './audit-log.js';
import { migrations } from './persistence/migrations.js';

let test: TestDatabase;
let log: AuditLog;
beforeAll(async () => {
  test = await createTestDatabase(migrations);
  log = new AuditLog(test.database);
});
afterAll(() => test.drop());

const event = (id: string, orderId: string, correlationId: string | null): EventEnvelope => ({
  id,
  type: 'order.created',
  version: 1,
  source: 'orders',
  subject: orderId,
  time: new Date('2026-10-05T08:00:00.123Z'),
  correlationId,
  causationId: null,
  organizationId: 'shopflow',
  traceparent: null,
  tracestate: null,
  payload: {},
});

const append = (...events: EventEnvelope[]) =>
  test.database.inTransaction((tx) =>
    log.append(
      tx,
      events.map((each) => ({ event: each, payload: '{"b":1, "a":2}', line: `line of ${each.id}` })),
    ),
  );

describe('AuditLog', () => {
  it('records an event with its ids, its version as published, its time and its line', async () => {
    await append(event('evt-1', 'ORD-1', 'req-1'));
    const [entry] = await log.find({ orderId: 'ORD-1', after: 0, limit: 10 });
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
    const first = await log.find({ correlationId: 'req-9', after: 0, limit: 1 });
    const second = await log.find({ correlationId: 'req-9', after: first[0]?.seq ?? -1, limit: 10 });
    expect([...first, ...second].map(({ eventId }) => eventId)).toEqual(['evt-2', 'evt-3']);
    expect(await log.find({ orderId: 'ORD-3', correlationId: 'req-9', after: 0, limit: 10 })).toHaveLength(1);
  });

  it.each(['UPDATE audit_log SET line = $$x$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])('refuses %s', async (statement) => {
    await expect(test.database.query(statement)).rejects.toThrow('audit_log is append-only');
  });
});
