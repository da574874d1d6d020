import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { Outbox } from '@shopflow/outbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvoicesConsumer } from './consuming/invoices.consumer.js';
import { permutations, story, tell, type Told } from './invoice-events.fixture.js';
import { migrations } from './persistence/migrations.js';
import { findReminders } from './persistence/reminders-table.js';
import { RaiseReminders } from './raise-reminders.js';

const MONDAY = new Date('2026-10-05T08:00:00Z');
const TUESDAY = new Date('2026-10-06T08:00:00Z');

let test: TestDatabase;
const consumer = new InvoicesConsumer();
const schedulers: RaiseReminders[] = [];
beforeAll(async () => {
  test = await createTestDatabase(migrations);
  for (let n = 0; n < 4; n++) schedulers.push(new RaiseReminders(test.database, new Outbox('reminder'), 1_000));
});
afterAll(() => test.drop());
beforeEach(() => test.database.query('TRUNCATE invoices, reminders, reminder_runs, outbox'));

const told = (...events: Told[]) =>
  test.database.inTransaction(async (tx) => {
    for (const event of events) await tell(consumer, tx, event);
  });
const run = (dueAt: Date) => schedulers[0]!.execute(dueAt);
const outbox = async () => (await test.database.query('SELECT * FROM outbox ORDER BY seq')).rows;
const remindedOn = async (day: string) =>
  (await findReminders(test.database, { organizationId: 'shopflow', day, limit: 5_000 })).map(({ invoiceId }) => invoiceId);

async function owe(count: number, columns: { dueOn?: string; organizationId?: string } = {}): Promise<void> {
  await test.database.query(
    `INSERT INTO invoices (invoice_id, number, organization_id, delivered, recipient, amount_kobo, due_on)
     SELECT n, 'INV-' || n, $2, true, 'accounts@mamaput.ng', n, $3 FROM generate_series(1, $1::int) n`,
    [count, columns.organizationId ?? 'shopflow', columns.dueOn ?? '2026-10-01'],
  );
}

describe('a run', () => {
  it('raises one reminder per overdue invoice and day, though four schedulers fire at once', async () => {
    await told(story.issued, story.corrected, story.delivered);
    const results = await Promise.all(schedulers.map((scheduler) => scheduler.execute(MONDAY)));
    expect(results.map(({ raised }) => raised).sort()).toEqual([0, 0, 0, 1]);
    expect((await run(TUESDAY)).raised).toBe(1);
    expect(await outbox()).toMatchObject([{ id: 'evt-reminder:1:2026-10-05' }, { id: 'evt-reminder:1:2026-10-06' }]);
  });

  it('tells of a reminder with the newest particulars, under ids that everybody can find it by', async () => {
    await told(story.issued, story.corrected, story.delivered);
    await run(MONDAY);
    const reminderId = 'reminder:1:2026-10-05';
    const particulars = { recipient: 'finance@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' };
    expect(await outbox()).toMatchObject([
      {
        id: `evt-${reminderId}`,
        aggregateid: 'INV-0001',
        correlation_id: 'cron-2026-10-05',
        organization_id: 'shopflow',
        payload: { reminderId, orderId: null, invoiceId: 1, number: 'INV-0001', ...particulars, day: '2026-10-05' },
      },
    ]);
  });

  it.each([
    ['is due today, which is still in time', '2026-10-05', 0],
    ['was due yesterday', '2026-10-04', 1],
    ['is due on a day that no calendar has, and that is over', '2026-09-31', 1],
  ])('takes an invoice that %s (%s) for %i reminder(s)', async (_, dueOn, raised) => {
    await owe(1, { dueOn });
    expect((await run(MONDAY)).raised).toBe(raised);
  });

  it('goes through many invoices in their order and in batches, each with its organization', async () => {
    await owe(2_500, { organizationId: 'acme' });
    expect(await run(MONDAY)).toEqual({ raised: 2_500, finished: true });
    const events = await outbox();
    expect(events.map(({ payload }) => (payload as { invoiceId: number }).invoiceId)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => n + 1),
    );
    expect(new Set(events.map(({ xid }) => xid)).size).toBe(3);
    expect(new Set(events.map(({ organization_id }) => organization_id))).toEqual(new Set(['acme']));
    expect(await remindedOn('2026-10-05')).toEqual([]);
  });

  it('that many schedulers share raises each reminder once, in the order of the invoices', async () => {
    await owe(3_000);
    const results = await Promise.all(schedulers.map((scheduler) => scheduler.execute(MONDAY)));
    expect(results.reduce((sum, { raised }) => sum + raised, 0)).toBe(3_000);
    expect((await outbox()).map(({ payload }) => (payload as { invoiceId: number }).invoiceId)).toEqual(await remindedOn('2026-10-05'));
  });

  it('leaves the rest when it is asked to stop, and whoever comes next goes on with it', async () => {
    await owe(1_500);
    const stopped = AbortSignal.abort();
    expect(await schedulers[0]!.execute(MONDAY, stopped)).toEqual({ raised: 0, finished: false });
    expect(await schedulers[1]!.isDone(MONDAY)).toBe(false);
    expect(await schedulers[1]!.execute(MONDAY)).toEqual({ raised: 1_500, finished: true });
    expect(await schedulers[0]!.isDone(MONDAY)).toBe(true);
  });

  it('gives up what an earlier run has left, so that nobody is reminded twice at once', async () => {
    await owe(1);
    await schedulers[0]!.execute(MONDAY, AbortSignal.abort());
    expect(await run(TUESDAY)).toEqual({ raised: 1, finished: true });
    expect(await run(MONDAY)).toEqual({ raised: 0, finished: true });
  });

  it('that a person asks for once more finds what became known since, and repeats nothing', async () => {
    await owe(1);
    expect(await schedulers[0]!.again(MONDAY)).toEqual({ raised: 1, finished: true });
    expect(await schedulers[0]!.again(MONDAY)).toEqual({ raised: 0, finished: true });
    await test.database.query('DELETE FROM invoices');
    await owe(3);
    expect((await run(MONDAY)).raised).toBe(0);
    expect(await schedulers[0]!.again(MONDAY)).toEqual({ raised: 2, finished: true });
    expect(await remindedOn('2026-10-05')).toEqual([1, 2, 3]);
  });
});

const { issued, corrected, delivered, reminded, paid, voided } = story;
const names = (events: readonly Told[]) => events.map(({ contract }) => contract.type.replace('invoice.', '')).join(', ');
const inEveryOrder = (...events: Told[]) => permutations(events).map((order) => [names(order), order] as const);

describe('of an invoice', () => {
  it.each(inEveryOrder(issued, corrected, delivered))('that is owed its customer is reminded once: %s', async (_, order) => {
    await told(...order, ...order);
    expect((await run(MONDAY)).raised).toBe(1);
    expect(await outbox()).toMatchObject([{ payload: { recipient: 'finance@mamaput.ng' } }]);
  });

  it.each([
    ...inEveryOrder(issued, corrected, delivered, paid),
    ...inEveryOrder(issued, delivered, voided),
    ...inEveryOrder(delivered, paid, voided),
  ])('that is paid or void nobody is ever reminded: %s', async (_, order) => {
    await told(...order);
    expect((await run(MONDAY)).raised).toBe(0);
    await told(...order.toReversed(), issued, delivered);
    expect((await run(TUESDAY)).raised).toBe(0);
  });

  it.each([
    ['was never delivered', [issued, corrected]],
    ['is known by its delivery alone', [delivered]],
    ['had only a reminder delivered', [issued, reminded]],
  ])('that %s nobody is reminded', async (_, events) => {
    await told(...events);
    expect((await run(MONDAY)).raised).toBe(0);
  });
});
