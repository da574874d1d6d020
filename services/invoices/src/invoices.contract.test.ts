import { emailFailed, emailSent, emailStarted, events, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { readFixtures } from '@shopflow/contracts/fixtures';
import { eventually, outboxFaults } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvoicesUnderTest, type Published } from './invoices-service.fixture.js';

let invoices: InvoicesUnderTest;
beforeAll(async () => {
  invoices = await InvoicesUnderTest.start();
});
afterAll(() => invoices.stop());

const subscribed = [orderCreated, orderContactUpdated, orderCancelled, emailStarted, emailSent, emailFailed];
const fixtures = subscribed.flatMap((contract) => readFixtures(contract).map((fixture) => ({ contract, ...fixture })));

const handled = (ids: readonly string[]) =>
  eventually(async () => {
    const { count } = await invoices.db.database.query('SELECT 1 FROM processed_events WHERE event_id = ANY($1)', [ids]);
    return count === ids.length;
  });
const state = async () => {
  const tables = ['invoices', 'deliveries', 'order_facts', 'outbox', 'dead_letters'];
  const rows = tables.map(async (table) => (await invoices.db.database.query(`SELECT * FROM ${table} ORDER BY 1`)).rows);
  return Promise.all(rows);
};

it('handles every fixture of every version that it may meet, and a repetition of all of them changes nothing', async () => {
  const published = fixtures.map(({ contract, version, file, payload }): Published => {
    return { id: `evt-${contract.type}-${file}`, contract, version, payload: payload as object };
  });
  await invoices.publish(...published);
  await handled(published.map(({ id }) => id));
  const once = await state();
  expect(once[0]!.length).toBeGreaterThan(0);
  expect(once.at(-1)).toEqual([]);
  await invoices.publish(...published);
  const behind = published.map((event, n) => ({
    ...event,
    id: `evt-behind-${n}`,
    contract: emailStarted,
    version: 1,
    payload: receiptOf(event),
  }));
  await invoices.publish(...behind);
  await handled(behind.map(({ id }) => id));
  expect(await state()).toEqual(once);
});

/** Says nothing to this service, and comes behind what was published before under the same key, or at least in the same topics. */
function receiptOf({ payload }: Published): object {
  const { orderId } = payload as { orderId: string | null };
  return { orderId: orderId ?? 'ORD-1001', deliveryId: 'evt-x', kind: 'receipt', causeEventId: 'evt-x' };
}

it('writes nothing to its outbox but what the current contracts promise, and every event that it owns', async () => {
  const issue = async (body: object) => {
    const { body: invoice } = await invoices.call('POST', '/invoices', { dueOn: '2026-10-30', ...body });
    const id = String(invoice['invoiceId']);
    const { body: delivery } = await invoices.call('POST', `/invoices/${id}/send`);
    return { id, deliveryId: `delivery-${String(delivery['deliveryId'])}` };
  };
  const odd = await issue({ number: `INV-${'Z'.repeat(60)}`, customerEmail: '', amountKobo: null });
  const usual = await issue({ number: 'INV-usual', customerEmail: 'ọlá "x" <@>', amountKobo: 1_000_000_000_000, orderId: 'ORD-usual' });
  await invoices.call('PATCH', `/invoices/${odd.id}`, { customerEmail: 'x'.repeat(320) });
  await invoices.call('POST', `/invoices/${odd.id}/pay`, { paidOn: '2028-02-29' });
  const mail = { orderId: null, number: 'INV-x', kind: 'invoice', causeEventId: 'evt-x' };
  await invoices.publish(
    { id: 'evt-f', contract: emailFailed, payload: { ...mail, deliveryId: odd.deliveryId, reason: 'r'.repeat(2_000), attempts: 4 } },
    { id: 'evt-s', contract: emailSent, payload: { ...mail, deliveryId: usual.deliveryId, providerId: 'msg_1', attempts: 1 } },
    { id: 'evt-c', contract: orderCreated, payload: readFixtures(orderCreated).at(-1)!.payload as object },
    { id: 'evt-u', contract: orderCancelled, payload: { orderId: 'ORD-usual', reason: null } },
  );
  await handled(['evt-f', 'evt-s', 'evt-c', 'evt-u']);
  const rows = await invoices.outbox();
  const owned = events.filter(({ owner }) => owner === 'invoices').map(({ type }) => type);
  expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(owned.sort());
  expect(outboxFaults('invoices', rows)).toEqual([]);
});
