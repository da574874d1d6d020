import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, InvoicesUnderTest } from '../invoices-service.fixture.js';

let invoices: InvoicesUnderTest;
beforeAll(async () => {
  invoices = await InvoicesUnderTest.start();
});
afterAll(() => invoices.stop());

let numbers = 0;
const request = () => ({ number: `INV-T${++numbers}`, customerEmail: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' });
const imported = async (body: object = {}, organization?: string): Promise<number> => {
  const answer = await invoices.call('POST', '/invoices', { ...request(), ...body }, organization === undefined ? {} : { organization });
  expect(answer.status).toBe(201);
  return Number(answer.body['invoiceId']);
};
const send = (id: number | string, requestId = 'req-41') => invoices.call('POST', `/invoices/${id}/send`, undefined, { requestId });
const correct = (id: number, body: object) => invoices.call('PATCH', `/invoices/${id}`, body);
const pay = (id: number, body?: object) => invoices.call('POST', `/invoices/${id}/pay`, body);
const eventsOf = async (id: number) => (await invoices.outbox()).filter(({ payload }) => payload['invoiceId'] === id);
const kindOf = ({ status, body }: Answer) => [status, String(body['type']).replace('urn:shopflow:problem:', '')];

describe('an import', () => {
  it('takes old data as it is: no amount, no address', async () => {
    const { status, headers, body } = await invoices.call('POST', '/invoices', {
      number: 'INV-0003',
      customerEmail: 'not-an-email',
      dueOn: '2026-10-30',
    });
    expect([status, headers.get('location')]).toEqual([201, `/invoices/${String(body['invoiceId'])}`]);
    expect(body).toMatchObject({ number: 'INV-0003', recipient: 'not-an-email', amountKobo: null, status: 'draft', orderId: null });
    expect((await invoices.call('GET', `/invoices/${String(body['invoiceId'])}`)).body).toEqual(body);
  });

  it('gives the same answer to the same invoice again, and refuses another under its number', async () => {
    const body = request();
    const [first, again] = [await invoices.call('POST', '/invoices', body), await invoices.call('POST', '/invoices', body)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(kindOf(await invoices.call('POST', '/invoices', { ...body, amountKobo: 1 }))).toEqual([409, 'invoice-differs']);
  });

  it('refuses a second invoice for an order', async () => {
    await imported({ orderId: 'ORD-77' });
    expect(kindOf(await invoices.call('POST', '/invoices', { ...request(), orderId: 'ORD-77' }))).toEqual([409, 'order-has-invoice']);
  });

  it('names every bad field at once', async () => {
    const bad = { number: 'X', customerEmail: 'a\0', amountKobo: 0.5, dueOn: '30.10.2026', colour: 'red' };
    const { status, body } = await invoices.call('POST', '/invoices', bad);
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect([status, fields]).toEqual([400, ['number', 'customerEmail', 'amountKobo', 'dueOn', 'colour']]);
    expect((await invoices.call('POST', '/invoices', { ...request(), dueOn: '2026-02-30' })).status).toBe(400);
  });
});

describe('sending', () => {
  it('answers 202 at once, with the same delivery to three clicks at the same moment, and is owed once', async () => {
    const id = await imported();
    const answers = await Promise.all(['req-41', 'req-42', 'req-43'].map((requestId) => send(id, requestId)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { deliveryId } = answers[0]!.body;
    expect(answers[0]!.body).toEqual({ deliveryId, status: 'queued' });
    const [event, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      id: `evt-delivery-${String(deliveryId)}`,
      type: 'invoice.issued',
      aggregateid: `INV-T${numbers}`,
      correlation_id: expect.stringMatching(/^req-4[123]$/),
      payload: {
        deliveryId: `delivery-${String(deliveryId)}`,
        recipient: 'accounts@mamaput.ng',
        amountKobo: 4_500_000,
        dueOn: '2026-10-01',
      },
    });
    expect((await invoices.call('GET', `/deliveries/${String(deliveryId)}`)).body).toMatchObject({
      invoiceId: id,
      status: 'queued',
      reason: null,
    });
    expect((await invoices.call('GET', `/invoices/${id}`)).body['status']).toBe('sending');
  });

  it('owes one e-mail when twenty ask together', async () => {
    const id = await imported();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(id)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['deliveryId'])}`)).size).toBe(1);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('is refused for what is paid or void, unless it was asked for before', async () => {
    const [paid, asked] = [await imported(), await imported()];
    await pay(paid);
    expect(kindOf(await send(paid))).toEqual([409, 'invoice-is-paid']);
    const first = await send(asked);
    await pay(asked);
    expect((await send(asked)).body).toEqual(first.body);
  });

  it('commits neither the invoice nor its delivery when the event cannot be written', async () => {
    const id = await imported();
    await invoices.db.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER refuse_issued BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.aggregateid = 'INV-T${numbers}') EXECUTE FUNCTION refuse()`);
    expect((await send(id)).status).toBe(500);
    expect((await invoices.call('GET', `/invoices/${id}`)).body['status']).toBe('draft');
    expect((await invoices.db.database.query('SELECT 1 FROM deliveries WHERE invoice_id = $1', [id])).count).toBe(0);
    await invoices.db.database.query('DROP TRIGGER refuse_issued ON outbox');
    expect((await send(id)).status).toBe(202);
  });
});

describe('a correction', () => {
  it('is told once the invoice was issued, and only when something changed', async () => {
    const id = await imported({ amountKobo: null });
    expect((await correct(id, { dueOn: '2026-11-30' })).body).toMatchObject({ dueOn: '2026-11-30', amountKobo: null });
    await send(id);
    await correct(id, { amountKobo: 650_000 });
    await correct(id, { amountKobo: 650_000 });
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(['invoice.issued', 'invoice.corrected']);
    expect(events[0]!.payload).toMatchObject({ amountKobo: null, dueOn: '2026-11-30' });
    expect(events[1]!.payload).toMatchObject({ amountKobo: 650_000, dueOn: '2026-11-30' });
  });

  it('is refused for what is paid, unless nothing changes', async () => {
    const id = await imported();
    await pay(id);
    expect(kindOf(await correct(id, { amountKobo: 1 }))).toEqual([409, 'invoice-is-paid']);
    expect((await correct(id, { amountKobo: 4_500_000 })).status).toBe(200);
  });
});

it('pays an invoice once, on the day that was given first', async () => {
  const id = await imported();
  const first = await pay(id, { paidOn: '2026-10-06' });
  expect(first.body).toMatchObject({ status: 'paid', paidOn: '2026-10-06' });
  expect((await pay(id, { paidOn: '2026-10-07' })).body).toEqual(first.body);
  expect(await eventsOf(id)).toMatchObject([{ id: `evt-invoice-${id}:paid`, payload: { paidOn: '2026-10-06' } }]);
});

it.each(['999999', '0', '-1', '1.5', 'abc', '9007199254740993', '%00', '1e3'])('finds nothing under the id %s', async (id) => {
  const answers = [await invoices.call('GET', `/invoices/${id}`), await invoices.call('GET', `/deliveries/${id}`), await send(id)];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

it('shows an organization its own invoices alone, and lets each have its own numbers', async () => {
  const theirs = await imported({ number: 'INV-SAME' }, 'mamaput');
  const ours = await imported({ number: 'INV-SAME' });
  const asked = await invoices.call('POST', `/invoices/${theirs}/send`, undefined, { organization: 'mamaput' });
  expect((await eventsOf(theirs))[0]).toMatchObject({ organization_id: 'mamaput' });
  const ids = async (organization?: string) => {
    const { body } = await invoices.call('GET', '/invoices?limit=1000', undefined, organization === undefined ? {} : { organization });
    return (body as unknown as { invoiceId: number }[]).map(({ invoiceId }) => invoiceId);
  };
  expect(await ids('mamaput')).toEqual([theirs]);
  expect(await ids()).toContain(ours);
  expect(await ids()).not.toContain(theirs);
  for (const { status } of [
    await send(theirs),
    await pay(theirs),
    await correct(theirs, { amountKobo: 1 }),
    await invoices.call('GET', `/deliveries/${String(asked.body['deliveryId'])}`),
  ])
    expect(status).toBe(404);
});
