import { orderCreated } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, startOrders } from './orders-api.fixture.js';

let orders: Awaited<ReturnType<typeof startOrders>>;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

it('places an order under the given id and says where it is', async () => {
  const { status, headers, body } = await orders.place({ orderId: 'ORD-1001', ...ada });
  expect([status, headers.get('location')]).toEqual([201, '/orders/ORD-1001']);
  expect(body).toEqual({
    orderId: 'ORD-1001',
    status: 'placed',
    ...ada,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    cancelledAt: null,
    cancelReason: null,
  });
  expect((await orders.find('ORD-1001')).body).toEqual(body);
});

it('writes order.created v3 with the order, under a natural id and the correlation id of the request', async () => {
  await orders.place({ orderId: 'ORD-1', ...ada }, { 'x-request-id': 'req-7f3a' });
  expect(await orders.outbox('ORD-1')).toMatchObject([
    {
      id: 'evt-ORD-1',
      type: 'order.created',
      version: 3,
      topic: 'orders.events',
      aggregateid: 'ORD-1',
      correlation_id: 'req-7f3a',
      payload: { orderId: 'ORD-1', ...ada },
    },
  ]);
});

it('gives an order without an id one that the contract accepts, and stores an unknown name as null', async () => {
  const { body } = await orders.place({ ...ada, customer: { email: 'tunde@shop.ng' } });
  const [event] = await orders.outbox(body.orderId);
  expect(body.customer.name).toBeNull();
  expect(orderCreated.payload.check(event?.payload)).toBe(true);
});

it('keeps the largest amount exactly', async () => {
  const totalKobo = 1_000_000_000_000;
  const { body } = await orders.place({ ...ada, totalKobo });
  expect((await orders.find(body.orderId)).body.totalKobo).toBe(totalKobo);
  expect((await orders.outbox(body.orderId))[0]?.payload['totalKobo']).toBe(totalKobo);
});

it('answers the same id and content again as the first time, even when the order has changed since', async () => {
  const first = await orders.place({ orderId: 'ORD-2', ...ada });
  await orders.correct('ORD-2', { email: 'ada@new.ng' });
  await orders.cancel('ORD-2');
  const again = await orders.place({ ...ada, orderId: 'ORD-2' });
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect((await orders.outbox('ORD-2')).map(({ type }) => type)).toEqual(['order.created', 'order.contact-updated', 'order.cancelled']);
});

it('refuses a known id with other content', async () => {
  await orders.place({ orderId: 'ORD-3', ...ada });
  const { status, body } = await orders.place({ orderId: 'ORD-3', ...ada, totalKobo: 1 });
  expect([status, body.type]).toEqual([409, 'urn:shopflow:problem:order-differs']);
  expect((await orders.find('ORD-3')).body.totalKobo).toBe(ada.totalKobo);
});

it('places one order when the same id comes 20 times at once, and refuses other content among them', async () => {
  const requests = Array.from({ length: 20 }, (_, n) => ({ orderId: 'ORD-4', ...ada, totalKobo: n < 15 ? 500 : 700 }));
  const block = (tx: Transaction) =>
    tx.query(`INSERT INTO orders (id, email, placed_email, total_kobo, currency, channel) VALUES ('ORD-4', 'x', 'x', 1, 'x', 'x')`);
  const answers = await orders.collide(block, () => Promise.all(requests.map((request) => orders.place(request))));
  const placed = answers.filter(({ status }) => status === 201);
  expect(placed.length === 15 || placed.length === 5).toBe(true);
  expect(new Set(placed.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(20 - placed.length);
  expect(await orders.outbox('ORD-4')).toHaveLength(1);
});

it('names every bad field at once', async () => {
  const { status, body } = await orders.place({
    orderId: 'X',
    customer: { email: 'nobody', name: '', phone: 1 },
    totalKobo: 0.5,
    currency: 'USD',
    coupon: 'a',
  });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    { field: 'orderId', message: 'must be text that matches ^ORD-[A-Za-z0-9._-]{1,60}$' },
    { field: 'customer.email', message: 'must be an e-mail address of at most 320 characters' },
    { field: 'customer.name', message: 'must be text of 1 to 200 characters, without control characters or null' },
    { field: 'customer.phone', message: 'is not a known field' },
    { field: 'totalKobo', message: 'must be a whole number of kobo from 1 to 1000000000000' },
    { field: 'currency', message: 'must be "NGN"' },
    { field: 'channel', message: 'is required: one of "web", "app"' },
    { field: 'coupon', message: 'is not a known field' },
  ]);
});

it.each([0, -1, 1.5, 1_000_000_000_001, '2500', null])('refuses the amount %j', async (totalKobo) => {
  const { status, body } = await orders.place({ ...ada, totalKobo });
  expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['totalKobo']]);
});

it.each(['\0', '\ud800'])('names every field with the character %j, which PostgreSQL cannot store, keys included', async (bad) => {
  const { status, body } = await orders.place({ ...ada, customer: { email: `a${bad}@shop.ng`, name: `A${bad}`, [`k${bad}`]: 1 } });
  expect(status).toBe(400);
  expect(body.errors.map(({ field }) => field)).toEqual([
    'customer.email',
    'customer.name',
    `customer.k${JSON.stringify(bad).slice(1, -1)}`,
  ]);
});

it('commits neither order nor event when the event cannot be written', async () => {
  const taken = `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ('evt-ORD-5', 'ORD-5', 'x', 1, 'x', '{}')`;
  await orders.db.database.query(taken);
  expect((await orders.place({ orderId: 'ORD-5', ...ada }, { 'idempotency-key': 'of-5' })).status).toBe(500);
  expect([await orders.ordersStored('ORD-5'), (await orders.outbox('ORD-5')).map(({ type }) => type)]).toEqual([0, ['x']]);
  await orders.db.database.query(`DELETE FROM outbox WHERE id = 'evt-ORD-5'`);
  expect((await orders.place({ orderId: 'ORD-5', ...ada }, { 'idempotency-key': 'of-5' })).status).toBe(201);
});

it('commits neither order nor event when the order cannot be committed', async () => {
  await orders.db.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused at commit'; END $$;
    CREATE CONSTRAINT TRIGGER refuse_6 AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id = 'ORD-6') EXECUTE FUNCTION refuse()`);
  expect((await orders.place({ orderId: 'ORD-6', ...ada })).status).toBe(500);
  expect([await orders.ordersStored('ORD-6'), await orders.outbox('ORD-6')]).toEqual([0, []]);
});

it.each(['ORD-none', 'nonsense', 'ORD-%00', 'ORD-a%20b', `ORD-${'x'.repeat(61)}`])('does not find the order %s', async (id) => {
  for (const { status, body } of [await orders.find(id), await orders.correct(id, { email: 'a@b' }), await orders.cancel(id)])
    expect([status, body.type]).toEqual([404, 'urn:shopflow:problem:order-not-found']);
});
