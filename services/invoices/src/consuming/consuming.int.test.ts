import { emailFailed, emailSent, emailStarted, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvoicesUnderTest, type Published } from '../invoices-service.fixture.js';

let invoices: InvoicesUnderTest;
beforeAll(async () => {
  invoices = await InvoicesUnderTest.start();
});
afterAll(() => invoices.stop());

const TIME = '2026-09-30T23:30:00Z';
let ids = 0;

const created = (orderId: string, more: Partial<Published> = {}): Published => ({
  id: `evt-${orderId}`,
  contract: orderCreated,
  payload: { orderId, customer: { email: 'ada@shop.ng', name: 'Ada' }, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' },
  time: TIME,
  ...more,
});
const contact = (orderId: string, email: string, time: string): Published => ({
  id: `evt-${++ids}`,
  contract: orderContactUpdated,
  payload: { orderId, customer: { email, name: null } },
  time,
});
const cancelled = (orderId: string): Published => ({
  id: `evt-${orderId}:cancelled`,
  contract: orderCancelled,
  payload: { orderId, reason: null },
});

async function handled(orderId: string): Promise<void> {
  await eventually(async () => (await invoices.invoiceOf(orderId)) !== undefined, { message: `the invoice of ${orderId}` });
}

describe('an order', () => {
  it('gets one invoice, due so many days behind its UTC day, however often it is told of', async () => {
    await invoices.publish(created('ORD-1', { correlationId: 'req-1' }), created('ORD-1'), created('ORD-1', { id: 'evt-other' }));
    await handled('ORD-1');
    const invoice = await invoices.invoiceOf('ORD-1');
    expect(invoice).toMatchObject({
      number: 'INV-0001',
      recipient: 'ada@shop.ng',
      amountKobo: 2_500_000,
      dueOn: '2026-10-30',
      status: 'draft',
    });
    expect((await invoices.db.database.query(`SELECT 1 FROM invoices WHERE order_id = 'ORD-1'`)).count).toBe(1);
  });

  it('gets a number that no imported invoice has', async () => {
    const { rows } = await invoices.db.database.query<{ next: number }>('SELECT last_value::int + 1 AS next FROM invoice_numbers');
    const taken = `INV-${String(rows[0]!.next).padStart(4, '0')}`;
    await invoices.call('POST', '/invoices', { number: taken, customerEmail: 'a@b.ng', dueOn: '2026-10-01' });
    await invoices.publish(created('ORD-2'));
    await handled('ORD-2');
    expect((await invoices.invoiceOf('ORD-2'))?.['number']).toBe(`INV-${String(rows[0]!.next + 1).padStart(4, '0')}`);
  });

  it('belongs to its organization', async () => {
    await invoices.publish(created('ORD-3', { organizationId: 'mamaput' }));
    await eventually(async () => {
      const { body } = await invoices.call('GET', '/invoices', undefined, { organization: 'mamaput' });
      return (body as unknown as unknown[]).length === 1;
    });
    expect(await invoices.invoiceOf('ORD-3')).toBeUndefined();
  });

  it('shows nothing of itself in an invoice that another organization imports under its id, and gets its own', async () => {
    const theirs = { number: 'INV-theirs', customerEmail: 'own@mamaput.ng', dueOn: '2026-10-01', orderId: 'ORD-9' };
    const { body } = await invoices.call('POST', '/invoices', theirs, { organization: 'mamaput' });
    await invoices.publish(created('ORD-9'), contact('ORD-9', 'secret@shop.ng', '2026-12-03T00:00:00Z'), cancelled('ORD-9'));
    await eventually(async () => (await invoices.invoiceOf('ORD-9'))?.['status'] === 'void', { message: 'our own invoice is void' });
    expect(await invoices.invoiceOf('ORD-9')).toMatchObject({ recipient: 'secret@shop.ng' });
    const found = await invoices.call('GET', `/invoices/${String(body['invoiceId'])}`, undefined, { organization: 'mamaput' });
    expect(found.body).toMatchObject({ recipient: 'own@mamaput.ng', status: 'draft' });
  });

  it('takes its invoice with it when it is cancelled, also when that is known first', async () => {
    await invoices.publish(created('ORD-4'), cancelled('ORD-4'), cancelled('ORD-5'), created('ORD-5'));
    for (const orderId of ['ORD-4', 'ORD-5'])
      await eventually(async () => (await invoices.invoiceOf(orderId))?.['status'] === 'void', { message: `${orderId} is void` });
    const voided = (await invoices.outbox('invoice.voided')).filter(({ aggregateid }) => aggregateid === 'ORD-4');
    expect(voided).toMatchObject([{ causation_id: 'evt-ORD-4:cancelled' }]);
    const { invoiceId } = (await invoices.invoiceOf('ORD-4'))!;
    expect((await invoices.call('POST', `/invoices/${String(invoiceId)}/send`)).status).toBe(409);
  });

  it('keeps its newest contact, whichever comes first', async () => {
    await invoices.publish(
      contact('ORD-6', 'known@first.ng', '2026-10-02T00:00:00Z'),
      created('ORD-6'),
      created('ORD-7'),
      contact('ORD-7', 'new@shop.ng', '2026-10-03T00:00:00Z'),
    );
    await eventually(async () => (await invoices.invoiceOf('ORD-7'))?.['recipient'] === 'new@shop.ng');
    await eventually(async () => (await invoices.invoiceOf('ORD-6'))?.['recipient'] === 'known@first.ng');
  });

  it('keeps an invoice that was paid', async () => {
    await invoices.publish(created('ORD-8'));
    await handled('ORD-8');
    const { invoiceId } = (await invoices.invoiceOf('ORD-8'))!;
    await invoices.call('POST', `/invoices/${String(invoiceId)}/pay`);
    await invoices.publish(contact('ORD-8', 'late@shop.ng', new Date().toISOString()), cancelled('ORD-8'), created('ORD-8-next'));
    await eventually(
      async () => (await invoices.db.database.query(`SELECT 1 FROM order_facts WHERE order_id = 'ORD-8' AND cancelled`)).count,
    );
    expect(await invoices.invoiceOf('ORD-8')).toMatchObject({ status: 'paid', recipient: 'ada@shop.ng' });
  });
});

describe('a delivery', () => {
  const asked = async () => {
    const number = `INV-D${++ids}`;
    const { body } = await invoices.call('POST', '/invoices', {
      number,
      customerEmail: 'ops@lagostaxi.ng',
      amountKobo: 1,
      dueOn: '2026-10-30',
    });
    const answer = await invoices.call('POST', `/invoices/${String(body['invoiceId'])}/send`, undefined, { requestId: `req-${number}` });
    const deliveryId = Number(answer.body['deliveryId']);
    const subject = {
      orderId: null,
      number,
      deliveryId: `delivery-${deliveryId}`,
      kind: 'invoice',
      causeEventId: `evt-delivery-${deliveryId}`,
    };
    const event = (contract: Published['contract'], more: object = {}): Published => ({
      id: `evt-${++ids}`,
      contract,
      payload: { ...subject, ...more },
      correlationId: `req-${number}`,
    });
    return {
      number,
      started: () => event(emailStarted),
      sent: () => event(emailSent, { providerId: 'msg_1', attempts: 3 }),
      failed: () => event(emailFailed, { reason: 'no such mailbox', attempts: 1 }),
      delivery: async () => (await invoices.call('GET', `/deliveries/${deliveryId}`)).body,
      invoice: async () => (await invoices.call('GET', `/invoices/${String(body['invoiceId'])}`)).body['status'],
      told: async () => (await invoices.outbox()).filter(({ aggregateid }) => aggregateid === number).slice(1),
    };
  };

  it('runs once it is started and is sent together with its invoice, told once', async () => {
    const mail = await asked();
    await invoices.publish(mail.started());
    await eventually(async () => (await mail.delivery())['status'] === 'running');
    const sent = mail.sent();
    await invoices.publish(sent, sent, mail.sent(), mail.failed(), mail.started());
    await eventually(async () => (await mail.delivery())['status'] === 'sent');
    await everythingOf(mail.number);
    expect(await mail.delivery()).toMatchObject({ status: 'sent', attempts: 3, providerId: 'msg_1', reason: null });
    expect(await mail.invoice()).toBe('sent');
    expect(await mail.told()).toMatchObject([{ type: 'invoice.delivered', causation_id: sent.id, correlation_id: `req-${mail.number}` }]);
  });

  it('says why it was given up, and is sent after a replay', async () => {
    const mail = await asked();
    await invoices.publish(mail.started(), mail.failed());
    await eventually(async () => (await mail.delivery())['status'] === 'dead');
    expect(await mail.delivery()).toMatchObject({ reason: 'no such mailbox', attempts: 1 });
    expect(await mail.invoice()).toBe('sending');
    await invoices.publish(mail.started());
    await eventually(async () => (await mail.delivery())['status'] === 'running');
    await invoices.publish(mail.sent());
    await eventually(async () => (await mail.invoice()) === 'sent');
    expect((await mail.told()).map(({ type }) => type)).toEqual(['invoice.delivery-failed', 'invoice.delivered']);
  });

  /** Waits until what was published before under this key has been handled: the events of one key come in order. */
  async function everythingOf(number: string): Promise<void> {
    const id = `evt-${++ids}`;
    await invoices.publish({ id, contract: emailStarted, payload: receiptOf(number) });
    const text = 'SELECT 1 FROM processed_events WHERE event_id = $1';
    await eventually(async () => (await invoices.db.database.query(text, [id])).count > 0);
  }
  const receiptOf = (number: string) => ({ orderId: null, number, deliveryId: 'evt-x', kind: 'receipt', causeEventId: 'evt-x' });

  it('of another service, or of nobody, changes nothing', async () => {
    const mail = await asked();
    const foreign = [
      { ...mail.sent(), payload: { ...mail.sent().payload, kind: 'reminder', deliveryId: 'reminder:1:2026-10-05' } },
      { ...mail.sent(), payload: { ...mail.sent().payload, deliveryId: 'delivery-99999' } },
    ];
    await invoices.publish(...foreign, mail.started());
    await eventually(async () => (await mail.delivery())['status'] === 'running');
    expect(await mail.told()).toEqual([]);
  });
});
