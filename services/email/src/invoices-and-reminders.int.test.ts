import { KafkaGroup } from '@shopflow/consumer';
import { invoiceCorrected, invoiceIssued, invoicePaid, invoiceVoided, reminderRaised } from '@shopflow/contracts';
import { type RunningService, startService } from '@shopflow/http';
import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EmailModule } from './email.module.js';
import { type Published, Surroundings } from './email-service.fixture.js';
import type { Delivery } from './ledger/delivery.js';

// From the events of invoices and reminders to what customers receive.

let around: Surroundings;
let service: RunningService;
beforeAll(async () => {
  around = await Surroundings.start();
  const logger = testLogger('email', 'silent');
  const module = EmailModule.forRoot(around.config(), logger);
  service = await startService({ name: 'email', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup });
  await eventually(async () => (await fetch(`${service.url}/health/ready`)).ok, { message: 'the service is ready' });
});
afterAll(async () => {
  await service.stop();
  await around.stop();
});
beforeEach(() => around.provider.control({ reset: true }));

const becomes = (id: string, status: Delivery['status']) =>
  eventually(
    async () => {
      const delivery = (await (await fetch(`${service.url}/deliveries/${id}`)).json()) as Delivery;
      return delivery.status === status && delivery;
    },
    { message: `${id} ${status}` },
  );
const replay = async (id: string) => (await fetch(`${service.url}/deliveries/${id}/replay`, { method: 'POST' })).json();

/** Invoice n without an order, and everything that can be told of it. */
function invoice(n: number, particulars: object = {}) {
  const number = `INV-${n}`;
  const subject = { orderId: null, invoiceId: n, number };
  const said = { recipient: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01', ...particulars };
  const event = (contract: Published['contract'], id: string, payload: object): Published => {
    return { id, contract, orderId: number, payload: { ...subject, ...payload }, correlationId: `req-${n}` };
  };
  return {
    id: `delivery-${n}`,
    reminderId: `reminder:${n}:2026-10-05`,
    issued: event(invoiceIssued, `evt-delivery-${n}`, { deliveryId: `delivery-${n}`, ...said }),
    corrected: (change: object) => event(invoiceCorrected, `evt-corrected-${n}`, { ...said, ...change }),
    paid: event(invoicePaid, `evt-invoice-${n}:paid`, { paidOn: '2026-10-02' }),
    voided: event(invoiceVoided, `evt-invoice-${n}:voided`, {}),
    reminded: event(reminderRaised, `evt-reminder:${n}:2026-10-05`, { reminderId: `reminder:${n}:2026-10-05`, ...said, day: '2026-10-05' }),
  };
}
const subjects = () => around.provider.inbox().map(({ subject }) => subject);

it('sends an invoice once, under the key of its delivery, however often it is issued', async () => {
  const one = invoice(1);
  await around.publish(one.issued, one.issued, { ...one.issued, id: 'evt-again' });
  expect(await becomes(one.id, 'sent')).toMatchObject({ kind: 'invoice', orderId: null, number: 'INV-1', correlationId: 'req-1' });
  expect(around.provider.inbox()).toMatchObject([
    { key: 'delivery-1', to: 'accounts@mamaput.ng', subject: 'Invoice INV-1', text: 'Amount due: 4,500,000 kobo, by 2026-10-01' },
  ]);
});

it('gives an address that the provider refuses one attempt', async () => {
  const bad = invoice(3, { recipient: 'not-an-email' });
  await around.publish(bad.issued);
  expect(await becomes(bad.id, 'dead')).toMatchObject({ attempts: 1, lastError: 'invalid recipient not-an-email' });
});

it('gives an invoice without an amount four attempts and a reason to act on; corrected and replayed, it is sent once', async () => {
  const poison = invoice(4, { amountKobo: null });
  await around.publish(poison.issued);
  const reason = 'invoice INV-4 has no amount: set amountKobo with PATCH /invoices/4, then replay the delivery';
  expect(await becomes(poison.id, 'dead')).toMatchObject({ attempts: 4, lastError: reason });
  await around.publish(poison.corrected({ amountKobo: 650_000 }));
  await eventually(async () => (await around.db.database.query('SELECT 1 FROM invoices WHERE amount_kobo = 650000')).count === 1);
  expect((await becomes(poison.id, 'dead')).attempts).toBe(4); // a person decides, not the correction
  expect([await replay(poison.id), await replay(poison.id)]).toEqual([{ replayed: true }, { replayed: false }]);
  await becomes(poison.id, 'sent');
  expect(around.provider.inbox()).toMatchObject([{ key: 'delivery-4', text: 'Amount due: 650,000 kobo, by 2026-10-01' }]);
});

it('reminds once a day, with what is known of the invoice when it is sent', async () => {
  const due = invoice(5);
  await around.publish(due.issued, due.corrected({ recipient: 'new@mamaput.ng' }));
  await becomes(due.id, 'sent');
  await around.publish(due.reminded, due.reminded);
  expect(await becomes(due.reminderId, 'sent')).toMatchObject({ kind: 'reminder', number: 'INV-5' });
  expect(around.provider.inbox().at(-1)).toMatchObject({
    key: due.reminderId,
    to: 'new@mamaput.ng',
    subject: 'Reminder: INV-5 is overdue',
  });
  expect(subjects().filter((subject) => subject.startsWith('Reminder'))).toHaveLength(1);
});

it('reminds nobody of what is paid, sends nothing that is void, and still sends a paid invoice', async () => {
  const [paid, gone] = [invoice(6), invoice(7)];
  await around.publish(paid.paid, gone.voided);
  await eventually(async () => (await around.db.database.query('SELECT 1 FROM settled_invoices')).count === 2);
  await around.publish(paid.issued, paid.reminded, gone.issued);
  await becomes(paid.id, 'sent');
  expect(await becomes(paid.reminderId, 'dead')).toMatchObject({ attempts: 1, lastError: expect.stringContaining('INV-6 is paid') });
  expect(await becomes(gone.id, 'dead')).toMatchObject({ lastError: expect.stringContaining('INV-7 is void') });
  expect(subjects()).toEqual(['Invoice INV-6']);
});

it('tells what becomes of it under the key of the invoice', async () => {
  const { rows } = await around.db.database.query<{ aggregateid: string; type: string; payload: object }>(
    `SELECT aggregateid, type, payload FROM outbox WHERE aggregateid IN ('INV-1', 'INV-3') ORDER BY seq`,
  );
  expect(rows.map(({ aggregateid, type }) => `${aggregateid} ${type}`)).toEqual([
    'INV-1 email.started',
    'INV-1 email.sent',
    'INV-3 email.started',
    'INV-3 email.failed',
  ]);
  expect(rows[1]!.payload).toMatchObject({ orderId: null, number: 'INV-1', deliveryId: 'delivery-1', kind: 'invoice', attempts: 1 });
});
