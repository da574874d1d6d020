import { emailSent, orderCancelled, orderCreated, type PayloadOf } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import { runWithContext } from '@shopflow/telemetry';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EventRefusedError, NoTransactionError } from './event-refused.js';
import { outboxMigrations } from './migrations.js';
import { Outbox } from './outbox.js';

let test: TestDatabase;
const outbox = new Outbox('orders');
const ada: PayloadOf<typeof orderCreated> = {
  orderId: 'ORD-1001',
  customer: { email: 'ada@shop.ng', name: 'Ada' },
  totalKobo: 2_500_000,
  currency: 'NGN',
  channel: 'web',
};

beforeAll(async () => {
  test = await createTestDatabase(outboxMigrations);
});
afterAll(() => test.drop());
beforeEach(() => test.database.query('DELETE FROM outbox'));

const append = (payload: object, options = {}) =>
  test.database.inTransaction((tx) => outbox.append(tx, orderCreated, payload as typeof ada, options));
const rows = async () => (await test.database.query('SELECT * FROM outbox ORDER BY seq')).rows;
const refusal = (payload: object, options = {}) =>
  append(payload, options).then(
    () => undefined,
    (error: unknown) => error as EventRefusedError,
  );

it('writes the event with what the context and the contract know', async () => {
  const id = await runWithContext({ correlationId: 'req-7f3a', traceparent: '00-aa-bb-01' }, () =>
    append(ada, { eventId: 'evt-ORD-1001' }),
  );
  expect(id).toBe('evt-ORD-1001');
  expect(await rows()).toMatchObject([
    {
      id: 'evt-ORD-1001',
      aggregatetype: 'order',
      aggregateid: 'ORD-1001',
      type: 'order.created',
      version: 3,
      topic: 'orders.events',
      payload: ada,
      organization_id: 'shopflow',
      correlation_id: 'req-7f3a',
      causation_id: null,
      traceparent: '00-aa-bb-01',
      tracestate: null,
    },
  ]);
});

it('gives an event without a natural id a UUIDv7, and takes what the caller says over the context', async () => {
  const options = { key: 'INV-1', correlationId: null, causationId: 'evt-ORD-1001', organizationId: 'acme' };
  const id = await runWithContext({ correlationId: 'req-7f3a' }, () => append(ada, options));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(await rows()).toMatchObject([
    { id, aggregateid: 'INV-1', correlation_id: null, causation_id: 'evt-ORD-1001', organization_id: 'acme' },
  ]);
});

it('writes many events at once, in their order and each with what it says of itself', async () => {
  const of = (orderId: string) => ({ payload: { ...ada, orderId } });
  const events = [
    { ...of('ORD-2'), eventId: 'evt-ORD-2' },
    { ...of('ORD-1'), organizationId: 'acme', correlationId: null },
    { ...of('ORD-3'), eventId: 'evt-ORD-3' },
  ];
  await runWithContext({ correlationId: 'cron-2026-10-05' }, () =>
    test.database.inTransaction((tx) => outbox.appendAll(tx, orderCreated, events)),
  );
  expect(await rows()).toMatchObject([
    { id: 'evt-ORD-2', aggregateid: 'ORD-2', payload: events[0]!.payload, correlation_id: 'cron-2026-10-05', organization_id: 'shopflow' },
    { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), aggregateid: 'ORD-1', correlation_id: null, organization_id: 'acme' },
    { id: 'evt-ORD-3', aggregateid: 'ORD-3', version: 3, topic: 'orders.events', type: 'order.created' },
  ]);
});

it('writes none of many events when one of them is refused, and nothing for none', async () => {
  const bad = { payload: { ...ada, totalKobo: -1 } };
  const appending = (events: { payload: typeof ada }[]) => test.database.inTransaction((tx) => outbox.appendAll(tx, orderCreated, events));
  await expect(appending([{ payload: ada }, bad])).rejects.toThrow(EventRefusedError);
  await appending([]);
  expect(await rows()).toEqual([]);
});

it('names every field that is wrong, and the business change goes with it', async () => {
  await test.database.query('CREATE TABLE IF NOT EXISTS orders (id text)');
  const change = test.database.inTransaction(async (tx) => {
    await tx.query(`INSERT INTO orders VALUES ('ORD-1001')`);
    await outbox.append(tx, orderCreated, { ...ada, totalKobo: -5, customer: { email: 'nobody', name: null } });
  });
  await expect(change).rejects.toThrow('order.created v3: invalid customer.email, totalKobo; correct what the producer puts there');
  expect((await test.database.query('SELECT * FROM orders')).rows).toEqual([]);
});

it('names a field that the contract does not have', async () => {
  const error = await refusal({ ...ada, customer: { ...ada.customer, phone: '080' }, coupon: 'X' });
  expect(error).toBeInstanceOf(EventRefusedError);
  expect(error?.fields).toEqual(['customer.phone', 'coupon']);
});

it('refuses what PostgreSQL cannot store, and ids and keys that consumers would not take', async () => {
  expect((await refusal({ ...ada, customer: { email: 'ada@shop.ng', name: 'A\0da' } }))?.fields).toEqual(['customer.name']);
  expect((await refusal({ ...ada, customer: { email: 'ada@shop.ng', name: 'Ada\ud800' } }))?.fields).toEqual(['customer.name']);
  expect((await refusal(ada, { eventId: 'é'.repeat(101) }))?.fields).toEqual(['eventId']);
  expect((await refusal(ada, { key: '' }))?.fields).toEqual(['key']);
  expect(await rows()).toEqual([]);
});

it('refuses an event of another service', async () => {
  const sent = {
    orderId: 'ORD-1',
    number: null,
    deliveryId: 'd',
    kind: 'receipt',
    causeEventId: 'e',
    providerId: 'p',
    attempts: 1,
  } as const;
  const appending = test.database.inTransaction((tx) => outbox.append(tx, emailSent, sent));
  await expect(appending).rejects.toThrow('email.sent: orders may not publish it; only its owner email does');
});

it('refuses to run outside a transaction', async () => {
  const { manager } = test.database.dataSource;
  await expect(outbox.append(manager as Transaction, orderCreated, ada)).rejects.toThrow(NoTransactionError);
  const runner = test.database.dataSource.createQueryRunner();
  const connected = test.database.dataSource.createEntityManager(runner) as Transaction;
  await expect(outbox.append(connected, orderCancelled, { orderId: 'ORD-1', reason: null })).rejects.toThrow(NoTransactionError);
  await runner.release();
  expect(await rows()).toEqual([]);
});

it('takes an old event that is inserted by hand with the least columns', async () => {
  const payload = { orderId: 'ORD-0999', email: 'tunde@shop.ng', totalKobo: 900_000 };
  await test.database.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('evt-ORD-0999', 'ORD-0999', 'order.created', 1, 'orders.events', $1)`,
    [payload],
  );
  expect(await rows()).toMatchObject([{ id: 'evt-ORD-0999', aggregatetype: 'order', organization_id: 'shopflow', payload }]);
});
