import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunningShop } from './running-shop.js';

const REMINDERS = fileURLToPath(new URL('../../../services/reminder/dist/cli.js', import.meta.url));

// What was promised for background processing, across processes: each promise by the numbers in which it was given.

let shop: RunningShop;
beforeAll(async () => {
  // A lease that a test can wait for; it must be longer than a call and 5 s for what is around it.
  shop = await RunningShop.start({ MAIL_TIMEOUT_MS: '1000', MAIL_LEASE_MS: '6500' });
}, 120_000);
afterAll(() => shop.remove());
beforeEach(() => shop.send('mail-provider', 'POST', '/control', { reset: true }));

interface Mail {
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly reason: string | null;
}

let numbers = 0;
const inbox = () => shop.send<Mail[]>('mail-provider', 'GET', '/inbox');
const control = (orders: object) => shop.send('mail-provider', 'POST', '/control', orders);

/** Imports an invoice of an old system. */
async function invoiceOf(particulars: object = {}): Promise<{ id: number; number: string }> {
  const number = `INV-E${++numbers}`;
  const body = { number, customerEmail: `buyer${numbers}@example.ng`, amountKobo: 4_500_000, dueOn: '2026-10-01', ...particulars };
  const { invoiceId } = await shop.send<{ invoiceId: number }>('invoices', 'POST', '/invoices', body);
  return { id: invoiceId, number };
}
const send = (id: number, requestId = `req-${id}`) =>
  shop.send<{ deliveryId: number; status: string }>('invoices', 'POST', `/invoices/${id}/send`, undefined, { 'x-request-id': requestId });
const deliveryOf = (deliveryId: number) => shop.send<Delivery>('invoices', 'GET', `/deliveries/${deliveryId}`);
const statusOf = async (id: number) => (await shop.send<{ status: string }>('invoices', 'GET', `/invoices/${id}`)).status;
const becomes = (deliveryId: number, status: string, timeoutMs = 20_000) =>
  eventually(
    async () => {
      const delivery = await deliveryOf(deliveryId);
      return delivery.status === status && delivery;
    },
    { timeoutMs, message: `delivery ${deliveryId} ${status}` },
  );

describe('an invoice', () => {
  it('is answered 202 before any e-mail is sent, and sent once however often somebody clicks', async () => {
    await shop.system.stopService('email');
    const { id, number } = await invoiceOf();
    const answers = await Promise.all([1, 2, 3].map(() => send(id)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]!.status).toBe('queued');
    expect(await inbox()).toEqual([]);
    await shop.system.startService('email');
    await becomes(answers[0]!.deliveryId, 'sent');
    expect(await inbox()).toMatchObject([
      { key: `delivery-${answers[0]!.deliveryId}`, subject: `Invoice ${number}`, text: 'Amount due: 4,500,000 kobo, by 2026-10-01' },
    ]);
    expect(await statusOf(id)).toBe('sent');
  });

  it('rides out a provider that fails, with exactly three retries', async () => {
    await control({ failNext: 3 });
    const { id } = await invoiceOf();
    const { deliveryId } = await send(id);
    expect(await becomes(deliveryId, 'sent')).toMatchObject({ attempts: 4 });
    expect(await inbox()).toHaveLength(1);
  });

  it('is found by one search for the request that asked for it first, from the click to the audit log', async () => {
    await control({ failNext: 2 });
    const { id, number } = await invoiceOf();
    const [first, second] = [await send(id, 'req-41'), await send(id, 'req-42')];
    expect(second.deliveryId).toBe(first.deliveryId);
    await becomes(first.deliveryId, 'sent');
    const audited = () => shop.send<{ entries: { line: string }[] }>('audit', 'GET', '/audit?correlationId=req-41');
    await eventually(async () => (await audited()).entries.some(({ line }) => line === `invoice ${number} delivered`));
    expect(await shop.logLines('invoices', 'req-41')).toContain('delivery requested');
    expect(await shop.logLines('invoices', 'req-42')).toContain('already requested');
    const told = (await shop.logLines('email', 'req-41')).filter((line) => /^(sending|attempt failed|sent)/.test(line));
    // The next attempt may begin before the line about the one before is written.
    expect(told.toSorted()).toEqual(['attempt failed', 'attempt failed', 'sending', 'sending', 'sending', 'sent']);
    expect(told.at(-1)).toBe('sent');
    for (const service of ['relay', 'audit'] as const) {
      await eventually(async () => (await shop.logLines(service, 'req-41')).length > 0, { message: `a line of ${service} with req-41` });
    }
    expect((await audited()).entries.map(({ line }) => line)).toEqual(
      expect.arrayContaining([`invoice ${number} issued`, `invoice e-mail for invoice ${number} sent`, `invoice ${number} delivered`]),
    );
  });

  it('that is broken holds up nobody: refused after one attempt, without an amount after four; the others are sent', async () => {
    const broken = [await invoiceOf({ customerEmail: 'not-an-email' }), await invoiceOf({ amountKobo: null })];
    const good = [await invoiceOf(), await invoiceOf()];
    const deliveries = [];
    for (const { id } of [...broken, ...good]) deliveries.push((await send(id)).deliveryId);
    const [refused, incomplete, ...others] = deliveries as [number, number, number, number];
    for (const deliveryId of others) await becomes(deliveryId, 'sent');
    expect(await becomes(refused, 'dead')).toMatchObject({ attempts: 1, reason: 'invalid recipient not-an-email' });
    expect(await becomes(incomplete, 'dead')).toMatchObject({ attempts: 4, reason: expect.stringContaining('has no amount') });
    expect((await inbox()).map(({ subject }) => subject).sort()).toEqual(good.map(({ number }) => `Invoice ${number}`).sort());

    await shop.send('invoices', 'PATCH', `/invoices/${broken[1]!.id}`, { amountKobo: 650_000 });
    await eventually(async () => (await shop.query('email', 'SELECT 1 FROM invoices WHERE amount_kobo = 650000')).length === 1);
    const replay = () => shop.send('email', 'POST', `/deliveries/delivery-${incomplete}/replay`, { who: 'support', why: 'amount set' });
    expect([await replay(), await replay()]).toEqual([{ replayed: true }, { replayed: false }]);
    await becomes(incomplete, 'sent');
    expect((await inbox()).at(-1)).toMatchObject({ key: `delivery-${incomplete}`, text: 'Amount due: 650,000 kobo, by 2026-10-01' });
  });

  it('of an order is drafted, follows the contact, and is sent to where it points then', async () => {
    await shop.place('ORD-invoice', 'old@shop.ng');
    const find = async () => {
      const invoices = await shop.send<{ invoiceId: number; orderId: string; recipient: string }[]>('invoices', 'GET', '/invoices');
      return invoices.find(({ orderId }) => orderId === 'ORD-invoice');
    };
    const drafted = await eventually(find);
    await shop.send('orders', 'PATCH', '/orders/ORD-invoice/contact', { email: 'new@shop.ng' });
    await eventually(async () => (await find())?.recipient === 'new@shop.ng');
    await becomes((await send(drafted.invoiceId)).deliveryId, 'sent');
    expect((await inbox()).filter(({ subject }) => subject.startsWith('Invoice'))).toMatchObject([{ to: 'new@shop.ng' }]);
  });
});

describe('a crash', () => {
  it('of the worker, after the provider accepted, leads to no second e-mail', async () => {
    await control({ failNext: 1, failWith: 'hang-after-accepting' });
    const { id } = await invoiceOf();
    const { deliveryId } = await send(id);
    await eventually(async () => (await inbox()).length === 1, { message: 'the provider has accepted' });
    await shop.system.kill('email');
    expect((await deliveryOf(deliveryId)).status).not.toBe('sent');
    expect(await becomes(deliveryId, 'sent')).toMatchObject({ attempts: 1 });
    expect(await inbox()).toHaveLength(1);
    const [row] = await shop.query<{ claims: number }>('email', 'SELECT claims FROM deliveries WHERE id = $1', [`delivery-${deliveryId}`]);
    expect(row).toEqual({ claims: 2 });
  });
});

describe('a reminder', () => {
  /** The run of a day, as an operator asks for one; the service's own schedule does the same when it is due. */
  const run = async (dueAt: string): Promise<string> => {
    const env = { ...process.env, DATABASE_URL: shop.system.databases.reminder };
    const { stdout } = await promisify(execFile)(process.execPath, [REMINDERS, 'run', '--due', dueAt], { env });
    return stdout.trim();
  };
  const reminders = async (number: string) => (await inbox()).filter(({ subject }) => subject === `Reminder: ${number} is overdue`);
  const known = (id: number, condition: string) =>
    eventually(
      async () => (await shop.query('reminder', `SELECT 1 FROM invoices WHERE invoice_id = $1 AND ${condition}`, [id])).length === 1,
    );

  it('goes out once a day while the invoice is overdue, however many schedulers fire, and never again once it is paid', async () => {
    const [overdue, later] = [await invoiceOf({ dueOn: '2026-10-01' }), await invoiceOf({ dueOn: '2026-10-30' })];
    for (const { id } of [overdue, later]) await becomes((await send(id)).deliveryId, 'sent');
    for (const { id } of [overdue, later]) await known(id, 'delivered');
    await Promise.all([run('2026-10-05T08:00:00Z'), run('2026-10-05T08:00:00Z')]);
    await eventually(async () => (await reminders(overdue.number)).length === 1);
    await shop.send('invoices', 'POST', `/invoices/${overdue.id}/pay`, { paidOn: '2026-10-05' });
    await known(overdue.id, 'paid');
    await run('2026-10-06T08:00:00Z');
    await run('2026-11-02T08:00:00Z');
    await eventually(async () => (await reminders(later.number)).length === 1);
    expect(await reminders(overdue.number)).toMatchObject([{ key: `reminder:${overdue.id}:2026-10-05` }]);
    const { entries } = await shop.send<{ entries: { line: string }[] }>('audit', 'GET', '/audit?correlationId=cron-2026-10-05&limit=1000');
    expect(entries.map(({ line }) => line)).toContain(`reminder e-mail for invoice ${overdue.number} sent`);
  });
});
