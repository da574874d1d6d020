import { KafkaGroup } from '@shopflow/consumer';
import {
  events,
  invoiceCorrected,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
  orderContactUpdated,
  orderCreated,
  reminderRaised,
} from '@shopflow/contracts';
import { readFixtures } from '@shopflow/contracts/fixtures';
import { startService } from '@shopflow/http';
import { eventually, testLogger, outboxFaults, type OutboxRow } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmailModule } from './email.module.js';
import { type Published, Surroundings } from './email-service.fixture.js';
import { LEASE_MS, Sending } from './sending/sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

const subscribed = [orderCreated, orderContactUpdated, invoiceIssued, invoiceCorrected, invoicePaid, invoiceVoided, reminderRaised];
const fixtures = subscribed.flatMap((contract) =>
  readFixtures(contract).map(({ version, file, payload }): Published => {
    const { orderId, number } = payload as { orderId: string | null; number: string };
    return { id: `evt-${contract.type}-${file}`, contract, version, payload, orderId: orderId ?? number };
  }),
);

it('handles every fixture of every version that it may meet; a repetition of all of them changes nothing and sends nothing', async () => {
  const around = await Surroundings.start();
  const logger = testLogger('email', 'silent');
  const module = EmailModule.forRoot(around.config(), logger);
  const service = await startService({ name: 'email', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup });
  try {
    await around.publish(...fixtures);
    const once = await stateAfter(around, fixtures.length);
    expect(once.letters).toEqual([]);
    expect(new Set(once.deliveries.map(({ kind }) => kind))).toEqual(new Set(['receipt', 'invoice', 'reminder']));

    const asked = fixtures.filter(({ contract }) => contract === invoiceIssued || contract === reminderRaised);
    const again = asked.map((event) => ({ ...event, id: `${event.id}-again` }));
    await around.publish(...fixtures, ...again);
    await eventually(async () => duplicatesAt(service.url, fixtures.length));
    expect(await stateAfter(around, fixtures.length + again.length)).toEqual(once);
  } finally {
    await service.stop();
    await around.stop();
  }
});

const duplicatesAt = async (url: string, count: number) =>
  ((await (await fetch(`${url}/status/consumer`)).json()) as { duplicates: number }).duplicates === count;

/** What the events left behind, once all of them are handled and every e-mail is sent or given up. */
async function stateAfter({ db: { database }, provider }: Surroundings, count: number) {
  await eventually(async () => (await database.query('SELECT 1 FROM processed_events')).count === count, { message: 'all are handled' });
  const open = `SELECT 1 FROM deliveries WHERE status IN ('queued', 'running')`;
  await eventually(async () => (await database.query(open)).count === 0, { message: 'all are sent or given up' });
  const { rows: deliveries } = await database.query<{ kind: string }>('SELECT id, kind, status, attempts FROM deliveries ORDER BY id');
  const { rows: letters } = await database.query(`SELECT event_id, reason FROM dead_letters WHERE subject = ''`);
  const contacts = (await database.query('SELECT order_id, email, name FROM contacts ORDER BY 1')).rows;
  return { deliveries, letters, contacts, mails: provider.inbox().length, calls: provider.stats().handled };
}

it('writes nothing to its outbox but what the current contracts promise, and every event that it owns', async () => {
  const id = 'x'.repeat(200);
  const orderId = `ORD-${'Z'.repeat(60)}`;
  await sending.created(orderId, { email: `${'x'.repeat(300)}@shop.invalid`, name: null }, { eventId: id });
  await sending.created('ORD-sent', { email: 'ọlá@shop.ng', name: '👩‍🌾 "Ọlá"' });
  await sending.created('ORD-crashing');
  const { claims, dispatcher } = sending.instance({ mailConcurrency: 1 });
  for (let start = 1; start <= 2; start++) await crashWith(claims);
  dispatcher.wake();
  await sending.becomes(id, 'dead');
  await sending.becomes('evt-ORD-sent', 'sent');

  const { rows } = await sending.db.database.query<OutboxRow>('SELECT * FROM outbox');
  const owned = events.filter(({ owner }) => owner === 'email').map(({ type }) => type);
  expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(owned.sort());
  expect(outboxFaults('email', rows)).toEqual([]);
});

/** A worker that claims and is never heard of again. */
async function crashWith(claims: ReturnType<Sending['instance']>['claims']): Promise<void> {
  await claims.execute({ worker: 'doomed', now: sending.clock(), free: 1, quiet: true });
  sending.passTime(LEASE_MS);
}
