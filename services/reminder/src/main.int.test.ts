import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@shopflow/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstStart } from './persistence/schedule-start.js';
import { Surroundings } from './reminder-service.fixture.js';
import { dayOf, readSchedule } from './scheduling/schedule.js';

// The service as it is deployed: a process of its own, from its build.

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const INVOICES = 2_500;
/** Due so seldom that no second run comes in between. */
const CRON = '0 0 1 1 *';

let around: Surroundings;
let child: ChildProcess | undefined;
beforeAll(async () => {
  around = await Surroundings.start();
});
afterAll(async () => {
  if (child) await kill(child, 'SIGKILL');
  await around.stop();
});

function start(): { process: ChildProcess; output: { err: string } } {
  const started = spawn(process.execPath, [MAIN], {
    env: { ...around.environment(), REMINDER_CRON: CRON },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = { err: '' };
  started.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  child = started;
  return { process: started, output };
}

async function kill(running: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child = undefined;
  const gone = once(running, 'exit');
  running.kill(signal);
  return ((await gone) as [number | null])[0];
}

const count = async (table: 'reminders' | 'outbox') => (await around.db.database.query(`SELECT FROM ${table}`)).count;

/** Another transaction has the same reminder in hand: the run stands still there until that one ends. */
async function standInTheWay(day: string, invoiceId: number): Promise<Client> {
  const client = new Client({ connectionString: around.db.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO reminders (reminder_id, invoice_id, day, number, organization_id, recipient, due_on, run_due_at)
     VALUES ($1, $2, $3, 'INV-1', 'shopflow', '', '', now())`,
    [`reminder:${invoiceId}:${day}`, invoiceId, day],
  );
  return client;
}

it('reminds of each of 2,500 invoices once though it is killed in the middle of the run, and ends orderly on SIGTERM', async () => {
  const day = dayOf(readSchedule(CRON).latestAt(new Date())!);
  await firstStart(around.db.database, new Date('2020-01-01T12:00:00Z'));
  await around.db.database.query(
    `INSERT INTO invoices (invoice_id, number, organization_id, delivered, recipient, due_on)
     SELECT n, 'INV-' || n, 'shopflow', true, 'a@b.ng', '2020-01-01' FROM generate_series(1, $1::int) n`,
    [INVOICES],
  );
  const other = await standInTheWay(day, 1_500);
  const { process: first } = start();
  await eventually(async () => (await count('reminders')) === 1_000, { message: 'a part of the run', timeoutMs: 30_000 });
  await kill(first, 'SIGKILL');
  await other.end();

  const { process: second, output } = start();
  await eventually(async () => (await count('reminders')) === INVOICES, { message: 'the whole run', timeoutMs: 30_000 });
  expect(await kill(second, 'SIGTERM')).toBe(0);
  expect(output.err).toBe('');
  expect(await count('outbox')).toBe(INVOICES);
  const { rows } = await around.db.database.query('SELECT raised, finished_at IS NOT NULL AS finished FROM reminder_runs');
  expect(rows).toEqual([{ raised: INVOICES, finished: true }]);
});
