import type { Transaction } from '@shopflow/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, startOrders } from './orders-api.fixture.js';
import { claimKey } from './persistence/idempotency-keys.js';

let orders: Awaited<ReturnType<typeof startOrders>>;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

/** What a first request with the key does before it commits. */
const claim = (key: string) => (tx: Transaction) => claimKey(tx, { organizationId: 'shopflow', key }, 'of another');
const placeWith = (key: string, body: object = ada) => orders.place(body, { 'idempotency-key': key });

it('answers a repeated key as the first time: status, place and body', async () => {
  const first = await placeWith('key-1');
  await orders.cancel(first.body.orderId);
  const again = await placeWith('key-1', { ...ada, customer: { name: 'Ada', email: 'ada@shop.ng' } });
  expect([again.status, again.headers.get('location'), again.body]).toEqual([201, `/orders/${first.body.orderId}`, first.body]);
});

it('refuses a key that came before with other content', async () => {
  await placeWith('key-2');
  for (const other of [
    { ...ada, totalKobo: 1 },
    { ...ada, orderId: 'ORD-7' },
  ]) {
    const { status, body } = await placeWith('key-2', other);
    expect([status, body.type]).toEqual([422, 'urn:shopflow:problem:idempotency-key-reused']);
  }
  expect(await orders.ordersStored('ORD-7')).toBe(0);
});

it('places one order with one event when the same key comes 20 times at once', async () => {
  const before = await orders.ordersStored();
  const answers = await orders.collide(claim('key-3'), () => Promise.all(Array.from({ length: 20 }, () => placeWith('key-3'))));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect([(await orders.ordersStored()) - before, await orders.outbox(answers[0]?.body.orderId)]).toEqual([1, [expect.anything()]]);
});

it('lets one of two contents win when they come with the same key at once', async () => {
  const contents = Array.from({ length: 10 }, (_, n) => ({ ...ada, totalKobo: 100 + (n % 2) }));
  const answers = await orders.collide(claim('key-4'), () => Promise.all(contents.map((content) => placeWith('key-4', content))));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(5).fill(201), ...Array(5).fill(422)]);
});

it('leaves the key unused when the request is refused', async () => {
  await orders.place({ orderId: 'ORD-8', ...ada });
  expect((await placeWith('key-5', { orderId: 'ORD-8', ...ada, totalKobo: 1 })).status).toBe(409);
  expect((await placeWith('key-5')).status).toBe(201);
});

it('answers a fresh key for a known order as the order was answered first', async () => {
  const first = await orders.place({ orderId: 'ORD-9', ...ada });
  expect((await placeWith('key-6', { orderId: 'ORD-9', ...ada })).body).toEqual(first.body);
});

it.each(['', 'has space', 'x'.repeat(201), 'ümlaut'])('refuses the key %j', async (key) => {
  const { status, body } = await placeWith(key);
  expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['Idempotency-Key']]);
});

it('takes a key of 200 visible characters', async () => {
  expect((await placeWith('!~'.repeat(100))).status).toBe(201);
});
