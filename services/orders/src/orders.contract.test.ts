import { events } from '@shopflow/contracts';
import { outboxFaults } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, startOrders } from './orders-api.fixture.js';

let orders: Awaited<ReturnType<typeof startOrders>>;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

/** The edges of what the API takes, as far as they reach an event. */
const customers = [
  { email: 'ada@shop.ng', name: 'Ada' },
  { email: 'a@b', name: null },
  { email: `${'x'.repeat(310)}@shop.ng` },
  { email: 'ọlá+tag@shọp.ng', name: '👩‍🌾 Ọlá "the" <farmer> \\ \u2028' },
  { email: 'ada@shop.ng', name: 'n'.repeat(200) },
];

it('writes nothing to its outbox but what the current contracts promise, field by field', async () => {
  for (const [n, customer] of customers.entries()) {
    const order = { customer, totalKobo: n === 0 ? 1_000_000_000_000 : 1, currency: 'NGN', channel: n % 2 === 0 ? 'web' : 'app' };
    const { status, body } = await orders.place(n === 0 ? { ...order, orderId: `ORD-${'Z'.repeat(60)}` } : order);
    expect(status).toBe(201);
    for (const contact of customers) expect((await orders.correct(body.orderId, contact)).status).toBe(200);
    expect((await orders.cancel(body.orderId, n === 0 ? { reason: 'r'.repeat(500) } : undefined)).status).toBe(200);
  }
  const rows = await orders.outbox();
  expect(rows.length).toBeGreaterThan(30);
  expect(outboxFaults('orders', rows)).toEqual([]);
});

it('tells of every kind of event that it owns', async () => {
  const { body } = await orders.place(ada);
  await orders.correct(body.orderId, { email: 'ada@new.ng' });
  await orders.cancel(body.orderId);
  const owned = events.filter(({ owner }) => owner === 'orders').map(({ type }) => type);
  expect((await orders.outbox(body.orderId)).map(({ type }) => type).sort()).toEqual(owned.sort());
});
