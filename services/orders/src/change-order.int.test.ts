import type { Transaction } from '@shopflow/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, startOrders } from './orders-api.fixture.js';

let orders: Awaited<ReturnType<typeof startOrders>>;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

const lock = (id: string) => (tx: Transaction) => tx.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [id]);
const place = async () => (await orders.place(ada)).body.orderId;

it('corrects the contact and tells about it with the whole new contact', async () => {
  const id = await place();
  const { status, body } = await orders.correct(id, { email: 'ada@new.ng' });
  expect([status, body.customer]).toEqual([200, { email: 'ada@new.ng', name: 'Ada' }]);
  expect((await orders.find(id)).body).toEqual(body);
  expect((await orders.outbox(id))[1]).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    type: 'order.contact-updated',
    payload: { orderId: id, customer: { email: 'ada@new.ng', name: 'Ada' } },
  });
});

it('tells nobody about a contact that stays the same', async () => {
  const id = await place();
  expect((await orders.correct(id, ada.customer)).status).toBe(200);
  expect(await orders.outbox(id)).toHaveLength(1);
});

it('refuses a contact with bad fields, all of them named', async () => {
  const { status, body } = await orders.correct(await place(), { email: '@', name: 'A\0', note: 'x' });
  expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['email', 'name', 'note']]);
});

it('cancels an order, with a reason or without a body', async () => {
  const [id, other] = [await place(), await place()];
  const { status, body } = await orders.cancel(id, { reason: 'changed my mind' });
  expect([status, body.status, body.cancelReason]).toEqual([200, 'cancelled', 'changed my mind']);
  expect((await orders.outbox(id))[1]).toMatchObject({ id: `evt-${id}:cancelled`, payload: { orderId: id, reason: 'changed my mind' } });
  expect((await orders.cancel(other)).body).toMatchObject({ status: 'cancelled', cancelReason: null });
});

it('cancels an order although another one is named like its cancellation', async () => {
  await orders.place({ ...ada, orderId: 'ORD-twin' });
  await orders.place({ ...ada, orderId: 'ORD-twin-cancelled' });
  expect((await orders.cancel('ORD-twin')).body).toMatchObject({ status: 'cancelled' });
});

it('cancels once however often it is asked, and answers the same', async () => {
  const id = await place();
  const answers = await orders.collide(lock(id), () =>
    Promise.all(Array.from({ length: 12 }, () => orders.cancel(id, { reason: 'twice clicked' }))),
  );
  const late = await orders.cancel(id, { reason: 'another reason' });
  expect(new Set([...answers, late].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect((await orders.outbox(id)).map(({ type }) => type)).toEqual(['order.created', 'order.cancelled']);
});

it('refuses a new contact for a cancelled order but not the one that it has', async () => {
  const id = await place();
  await orders.cancel(id);
  const { status, body } = await orders.correct(id, { email: 'ada@new.ng' });
  expect([status, body.type]).toEqual([409, 'urn:shopflow:problem:order-is-cancelled']);
  expect((await orders.correct(id, ada.customer)).status).toBe(200);
});

it('ends with the state that its last event tells, when changes of one order come at once', async () => {
  const id = await place();
  const names = Array.from({ length: 12 }, (_, n) => `Ada ${n}`);
  await orders.collide(lock(id), () => Promise.all(names.map((name) => orders.correct(id, { email: 'ada@shop.ng', name }))));
  const events = await orders.outbox(id);
  expect(events).toHaveLength(13);
  expect((await orders.find(id)).body.customer).toEqual(events.at(-1)?.payload['customer']);
});

it('tells of the changes of one order in the order in which they committed', async () => {
  const id = await place();
  await orders.db.database.query(`
    CREATE TABLE changes (seq bigserial, name text);
    CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO changes (name) VALUES (NEW.name); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER note_at_commit AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION note_change()`);
  const names = Array.from({ length: 12 }, (_, n) => `N ${n}`);
  await orders.collide(lock(id), () => Promise.all(names.map((name) => orders.correct(id, { email: 'ada@shop.ng', name }))));
  const { rows } = await orders.db.database.query<{ name: string }>('SELECT name FROM changes ORDER BY seq');
  const told = (await orders.outbox(id)).slice(1).map(({ payload }) => (payload['customer'] as { name: string }).name);
  expect(told).toEqual(rows.map(({ name }) => name));
});
