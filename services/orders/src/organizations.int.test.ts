import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, startOrders, tokenOf } from './orders-api.fixture.js';

let orders: Awaited<ReturnType<typeof startOrders>>;
let mamaput: Record<string, string>;
beforeAll(async () => {
  orders = await startOrders();
  mamaput = await tokenOf('mamaput');
});
afterAll(() => orders.stop());

it('gives an order and everything that is told of it to the organization that the token names', async () => {
  await orders.place({ orderId: 'ORD-theirs', ...ada }, mamaput);
  await orders.correct('ORD-theirs', { email: 'ada@new.ng' }, mamaput);
  await orders.cancel('ORD-theirs', undefined, mamaput);
  expect((await orders.outbox('ORD-theirs')).map(({ type, organization_id }) => [type, organization_id])).toEqual([
    ['order.created', 'mamaput'],
    ['order.contact-updated', 'mamaput'],
    ['order.cancelled', 'mamaput'],
  ]);
});

it('finds, changes and cancels the order of another organization for nobody', async () => {
  await orders.place({ orderId: 'ORD-secret', ...ada }, mamaput);
  for (const headers of [{}, await tokenOf('gracehotel')]) {
    const answers = [
      await orders.find('ORD-secret', headers),
      await orders.correct('ORD-secret', { email: 'eve@shop.ng' }, headers),
      await orders.cancel('ORD-secret', undefined, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  }
  expect(await orders.outbox('ORD-secret')).toHaveLength(1);
  expect((await orders.find('ORD-secret', mamaput)).body).toMatchObject({ status: 'placed', customer: ada.customer });
});

it('refuses an id that another organization has taken, also with the same content, and says nothing of that order', async () => {
  await orders.place({ orderId: 'ORD-taken', ...ada }, mamaput);
  const { status, body } = await orders.place({ orderId: 'ORD-taken', ...ada });
  expect([status, body.type]).toEqual([409, 'urn:shopflow:problem:order-differs']);
  expect(JSON.stringify(body)).not.toContain('mamaput');
});

it('lets two organizations choose the same idempotency key', async () => {
  const key = { 'idempotency-key': 'first-of-the-day' };
  const ours = await orders.place(ada, key);
  const theirs = await orders.place({ ...ada, totalKobo: 1 }, { ...key, ...mamaput });
  expect([ours.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.orderId).not.toBe(ours.body.orderId);
  expect((await orders.place({ ...ada, totalKobo: 1 }, { ...key, ...mamaput })).body).toEqual(theirs.body);
});

it('takes no token that it cannot check', async () => {
  const { status, headers, body } = await orders.find('ORD-taken', { authorization: 'Bearer nonsense' });
  expect([status, headers.get('www-authenticate'), body.type]).toEqual([401, 'Bearer', 'urn:shopflow:problem:invalid-token']);
});
