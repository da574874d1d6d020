import { KafkaGroup } from '@shopflow/consumer';
import {
  events,
  invoiceCorrected,
  invoiceDelivered,
  invoiceDeliveryFailed,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
} from '@shopflow/contracts';
import { readFixtures } from '@shopflow/contracts/fixtures';
import { type RunningService, startService } from '@shopflow/http';
import { eventually, testLogger, outboxFaults, type OutboxRow } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildReminders } from './build-reminders.js';
import { type Published, Surroundings } from './reminder-service.fixture.js';
import { ReminderModule } from './reminder.module.js';

let around: Surroundings;
let service: RunningService;
beforeAll(async () => {
  around = await Surroundings.start();
  const logger = testLogger('reminder', 'silent');
  const module = ReminderModule.forRoot(around.config(), logger);
  service = await startService({ name: 'reminder', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup });
});
afterAll(async () => {
  await service.stop();
  await around.stop();
});

interface ConsumerStatus {
  readonly handled: number;
  readonly duplicates: number;
  readonly deadLettered: number;
  readonly skipped: number;
  readonly skippedByType: Readonly<Record<string, number>>;
}
const status = async () => (await (await fetch(`${service.url}/status/consumer`)).json()) as ConsumerStatus;

const subscribed = [invoiceIssued, invoiceCorrected, invoiceDelivered, invoicePaid, invoiceVoided];
const everyFixture: Published[] = [...subscribed, invoiceDeliveryFailed].flatMap((contract) =>
  readFixtures(contract).map(({ version, file, payload }) => ({
    id: `evt-${contract.type}-${file}`,
    contract,
    version,
    payload: payload as Published['payload'],
  })),
);

it('takes every version of every event that it subscribes to, and each once', async () => {
  await around.publish(...everyFixture);
  await around.publish(...everyFixture);
  const taken = everyFixture.filter(({ contract }) => subscribed.includes(contract as (typeof subscribed)[number])).length;
  await eventually(async () => {
    const { handled, duplicates, skipped } = await status();
    return handled + duplicates + skipped === 2 * everyFixture.length;
  });
  expect(await status()).toMatchObject({
    handled: taken,
    duplicates: taken,
    deadLettered: 0,
    skippedByType: { 'invoice.delivery-failed': 2 },
  });
  const { rows } = await around.db.database.query('SELECT number, delivered, paid, voided, recipient FROM invoices ORDER BY number');
  expect(rows).toEqual([
    { number: 'INV-0001', delivered: true, paid: true, voided: true, recipient: 'accounts@mamaput.ng' },
    { number: 'INV-0003', delivered: false, paid: false, voided: false, recipient: 'not-an-email' },
    { number: 'INV-0004', delivered: false, paid: false, voided: false, recipient: 'ops@lagostaxi.ng' },
  ]);
});

/** The edges of what the events let in. */
const invoices: Published['payload'][] = [
  { orderId: 'ORD-1', invoiceId: 11, number: 'INV-0011', recipient: '', amountKobo: null, dueOn: '2026-09-31' },
  {
    orderId: null,
    invoiceId: Number.MAX_SAFE_INTEGER,
    number: `INV-${'x'.repeat(60)}`,
    recipient: 'ọlá "the" \\ 👩‍🌾',
    amountKobo: 1,
    dueOn: '0001-01-01',
  },
];

it('writes nothing to its outbox but what the current contracts promise, and every event that it owns', async () => {
  await around.publish(
    ...invoices.flatMap((invoice, n): Published[] => [
      { id: `evt-issued-${n}`, contract: invoiceIssued, payload: { ...invoice, deliveryId: `delivery-${n + 1}` } },
      { id: `evt-delivered-${n}`, contract: invoiceDelivered, payload: deliveredOf(invoice, n) },
    ]),
  );
  const known = async () => (await around.db.database.query('SELECT FROM invoices WHERE delivered AND NOT paid')).count;
  await eventually(async () => (await known()) === invoices.length);
  await buildReminders(around.db.database).again(new Date('2026-10-05T08:00:00Z'));
  const { rows } = await around.db.database.query<OutboxRow>('SELECT * FROM outbox ORDER BY seq');
  expect(rows.map(({ payload }) => payload)).toMatchObject(invoices);
  expect([...new Set(rows.map(({ type }) => type))]).toEqual(events.filter(({ owner }) => owner === 'reminder').map(({ type }) => type));
  expect(outboxFaults('reminder', rows)).toEqual([]);
});

const deliveredOf = ({ orderId, number, invoiceId }: Published['payload'], n: number): Published['payload'] => ({
  orderId,
  number,
  invoiceId,
  deliveryId: `delivery-${n + 1}`,
  kind: 'invoice',
});
