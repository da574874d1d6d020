import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { topics } from '@shopflow/contracts';
import { createTestDatabase, eventually, type TestDatabase, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf } from './invoices-service.fixture.js';
import { migrations } from './persistence/migrations.js';

// The service as it is deployed: a process of its own, from its build.

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Where the commit of an event stops until the test lets it go on; the test's connection holds the lock. */
const HOLD = 4712;

let db: TestDatabase;
let namespace: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  namespace = uniqueNamespace();
  for (const { name } of [topics.orders, topics.emails]) await uniqueTopic({ namespace, name });
  db = await createTestDatabase(migrations, { poolSize: 3 });
  await db.database.query(`
    CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(${HOLD}); RETURN NEW; END';
    CREATE CONSTRAINT TRIGGER wait_in_commit AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_here()`);
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => kill(child, 'SIGKILL')));
  await db.drop();
});

async function start() {
  const child = spawn(process.execPath, [MAIN], { env: environmentOf(db, namespace), stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await eventually(() => /listening on (http:\S+?)"/.exec(output)?.[1], { message: 'the service listens' });
  const post = (path: string, body: object = {}) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { child, post };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

const backends = async (condition: string) => {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'invoices' AND ${condition}`;
  return (await db.database.query(text)).count;
};

it('keeps one delivery and its event when it is killed between the commit and the answer, and gives both again', async () => {
  const { child, post } = await start();
  await post('/invoices', { number: 'INV-0001', customerEmail: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' });
  await db.database.inTransaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [HOLD]);
    const answer = post('/invoices/1/send').then(
      () => 'answered',
      () => 'cut off',
    );
    await eventually(async () => (await backends(`wait_event_type = 'Lock'`)) > 0, { message: 'the request is in its commit' });
    await kill(child, 'SIGKILL');
    expect(await answer).toBe('cut off');
  });
  await eventually(async () => (await backends('true')) === 0, { message: 'the server has let the connections go' });
  const again = await (await start()).post('/invoices/1/send');
  expect([again.status, await again.json()]).toEqual([202, { deliveryId: 1, status: 'queued' }]);
  const { rows } = await db.database.query(`SELECT id FROM outbox WHERE type = 'invoice.issued'`);
  expect(rows).toEqual([{ id: 'evt-delivery-1' }]);
});
