import { createTestDatabase, type TestDatabase, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildReminders } from '../build-reminders.js';
import { migrations } from '../persistence/migrations.js';
import { firstStart } from '../persistence/schedule-start.js';
import { readSchedule } from './schedule.js';
import { Scheduler } from './scheduler.js';

let test: TestDatabase;
let now: Date;
beforeAll(async () => {
  test = await createTestDatabase(migrations);
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query('TRUNCATE invoices, reminders, reminder_runs, outbox, schedule_start');
  await test.database.query(
    `INSERT INTO invoices (invoice_id, number, organization_id, delivered, recipient, due_on) VALUES (1, 'INV-1', 'shopflow', true, 'a@b.ng', '2026-09-01')`,
  );
});

/** A process of the service, started at the time. */
async function startAt(time: string, catchUp = () => Promise.resolve()) {
  const around = { clock: () => now, logger: testLogger(), stopping: new AbortController().signal };
  const first = (started: Date) => firstStart(test.database, started);
  const scheduler = new Scheduler(readSchedule('0 8 * * 1-5'), buildReminders(test.database), first, catchUp, around);
  const at = async (later: string) => {
    now = new Date(later);
    await scheduler.look();
  };
  await at(time);
  return { at };
}

const days = async () =>
  (await test.database.query<{ day: string }>('SELECT day::text FROM reminders ORDER BY day')).rows.map(({ day }) => day);

describe('the scheduler', () => {
  it('raises nothing for what was due before reminders were first scheduled', async () => {
    await startAt('2026-10-02T12:00:00Z');
    await startAt('2026-10-04T12:00:00Z');
    expect(await days()).toEqual([]);
  });

  it('runs when it is due, once, and never at weekends', async () => {
    const { at } = await startAt('2026-10-02T12:00:00Z');
    for (const time of ['03T08:00:00Z', '04T08:00:00Z', '05T07:59:59.999Z']) await at(`2026-10-${time}`);
    expect(await days()).toEqual([]);
    for (const time of ['05T08:00:00Z', '05T08:00:30Z', '05T23:59:59Z', '06T08:00:00Z']) await at(`2026-10-${time}`);
    expect(await days()).toEqual(['2026-10-05', '2026-10-06']);
  });

  it('is for the day on which the run was due, though it starts after midnight', async () => {
    const { at } = await startAt('2026-10-02T12:00:00Z');
    await at('2026-10-06T00:00:03Z');
    expect(await days()).toEqual(['2026-10-05']);
  });

  it('after days without any process catches up once, for the latest of the days', async () => {
    await startAt('2026-10-02T12:00:00Z');
    await startAt('2026-10-08T09:30:00Z');
    await startAt('2026-10-08T09:31:00Z');
    expect(await days()).toEqual(['2026-10-08']);
  });

  it('repeats nothing when the clock is put back', async () => {
    const { at } = await startAt('2026-10-02T12:00:00Z');
    for (const time of ['05T08:00:00Z', '05T07:58:00Z', '05T08:00:00Z', '04T12:00:00Z', '05T08:00:01Z']) await at(`2026-10-${time}`);
    expect(await days()).toEqual(['2026-10-05']);
  });

  it('does not stay silent because the clock was ahead at its first start', async () => {
    await startAt('2027-10-02T12:00:00Z');
    const { at } = await startAt('2026-10-02T12:00:00Z');
    await at('2026-10-05T08:00:00Z');
    expect(await days()).toEqual(['2026-10-05']);
  });

  it('reads what the invoices service has told before it reminds, so that who paid while nothing ran is left alone', async () => {
    await startAt('2026-10-02T12:00:00Z');
    await startAt('2026-10-05T09:30:00Z', async () => void (await test.database.query('UPDATE invoices SET paid = true')));
    expect(await days()).toEqual([]);
  });
});
