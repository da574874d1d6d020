import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, eventually, type TestDatabase } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ada, ordersClient, tables } from './orders-api.fixture.js';
import { migrations } from './persistence/migrations.js';

// The service as it is deployed: a process of its own, from its build.

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Where a statement of the service stops until the test lets it go on; the test's connections hold the lock. */
const HOLD = 4711;

let db: TestDatabase;
const children: ChildProcess[] = [];
beforeAll(async () => {
  db = await createTestDatabase(migrations, { poolSize: 3 });
  await db.database.query(`
    CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(${HOLD}); RETURN NEW; END';
    CREATE CONSTRAINT TRIGGER wait_in_commit AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id LIKE '%in-commit') EXECUTE FUNCTION wait_here();
    CREATE TRIGGER wait_before_commit BEFORE INSERT ON outbox
      FOR EACH ROW WHEN (NEW.id LIKE '%before-commit') EXECUTE FUNCTION wait_here()`);
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child, 'SIGKILL');
});
afterAll(() => db.drop());

function spawnOrders(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], { env: { DATABASE_URL: db.url, PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
}

async function startOrders() {
  const { child, output } = spawnOrders();
  const url = await eventually(() => /listening on (http:\S+?)"/.exec(output.out)?.[1], { message: 'the service listens' });
  return { child, output, url, ...ordersClient(url) };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill(signal);
  return ((await gone) as [number | null])[0];
}

/** Runs `work` while every insert of an event whose id ends in what the triggers look for is held. */
async function holding(work: () => Promise<void>): Promise<void> {
  await db.database.inTransaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [HOLD]);
    await work();
  });
}

const backends = async (condition: string) => {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'orders' AND ${condition}`;
  return (await db.database.query<{ n: number }>(text)).rows[0]?.n;
};
const outcomeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    () => 'cut off',
  );
const held = () => eventually(async () => (await backends(`wait_event_type = 'Lock'`)) === 1, { message: 'the service waits' });
const gone = () => eventually(async () => (await backends('true')) === 0, { message: 'the server has let its connections go' });

it('keeps order and event together when it is killed between the commit and the answer', async () => {
  const { child, place } = await startOrders();
  const order = { orderId: 'ORD-in-commit', ...ada };
  await holding(async () => {
    const outcome = outcomeOf(place(order, { 'idempotency-key': 'k1' }));
    await held();
    await kill(child, 'SIGKILL');
    expect(await outcome).toBe('cut off');
  });
  await gone();
  expect([await tables(db).ordersStored(order.orderId), (await tables(db).outbox(order.orderId)).length]).toEqual([1, 1]);

  const restarted = await startOrders();
  expect((await restarted.place(order, { 'idempotency-key': 'k1' })).body).toMatchObject(order);
  expect(await tables(db).outbox(order.orderId)).toHaveLength(1);
});

it('keeps neither when it is killed before the commit, and a repeat with the same key places the order', async () => {
  const { child, place } = await startOrders();
  const order = { orderId: 'ORD-before-commit', ...ada };
  await holding(async () => {
    const outcome = outcomeOf(place(order, { 'idempotency-key': 'k2' }));
    await held();
    await kill(child, 'SIGKILL');
    expect(await outcome).toBe('cut off');
  });
  await gone();
  expect([await tables(db).ordersStored(order.orderId), await tables(db).outbox(order.orderId)]).toEqual([0, []]);

  const restarted = await startOrders();
  expect((await restarted.place(order, { 'idempotency-key': 'k2' })).status).toBe(201);
  expect([await tables(db).ordersStored(order.orderId), (await tables(db).outbox(order.orderId)).length]).toEqual([1, 1]);
});

it('answers a running request before it ends on SIGTERM with code 0', async () => {
  const { child, output, url, place } = await startOrders();
  const spare = connect(Number(new URL(url).port), '127.0.0.1');
  await once(spare, 'connect');
  let answer: ReturnType<typeof place>;
  let exit: Promise<number | null>;
  await holding(async () => {
    answer = place({ orderId: 'ORD-stop-in-commit', ...ada });
    await held();
    exit = kill(child, 'SIGTERM');
    await once(spare, 'close');
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
  });
  expect((await answer!).status).toBe(201);
  expect(await exit!).toBe(0);
  expect(output.err).toBe('');
});

it('writes one line per request with its correlation id and what it created', async () => {
  const { output, place } = await startOrders();
  await place({ orderId: 'ORD-logged', ...ada }, { 'x-request-id': 'req-log1' });
  const line = await eventually(() => output.out.split('\n').find((text) => text.includes('POST /orders')));
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    service: 'orders',
    correlationId: 'req-log1',
    method: 'POST',
    route: '/orders',
    status: 201,
    ms: expect.any(Number),
    location: '/orders/ORD-logged',
  });
});

async function failedStart(env: Record<string, string>): Promise<string> {
  const { child, output } = spawnOrders(env);
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, output.out + output.err]).toEqual([1, expect.not.stringMatching(/\n? +at .*\.js:/)]);
  const fatal = output.out.split('\n').filter((line) => line.includes('"fatal"'));
  expect(fatal).toHaveLength(1);
  return output.err;
}

it('does not start with a wrong configuration and says every fault, without a stack', async () => {
  const said = await failedStart({ DATABASE_URL: '', PORT: 'eighty', LOG_LEVEL: 'loud' });
  for (const variable of ['DATABASE_URL is not set', 'PORT is "eighty"', 'LOG_LEVEL is "loud"']) expect(said).toContain(variable);
});

it('does not start on a taken port and names it and its variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await failedStart({ PORT: String(port) })).toBe(
    `orders did not start: cannot listen on 127.0.0.1:${port}: the port is taken; stop what listens there, or set PORT to another\n`,
  );
  taken.close();
});

it('does not start without its database and says what to look at', async () => {
  expect(await failedStart({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/orders' })).toMatch(/ECONNREFUSED.*DATABASE_URL/);
  const missing = new URL(db.url);
  missing.pathname = '/no_such_database';
  expect(await failedStart({ DATABASE_URL: missing.toString() })).toMatch(/"no_such_database" does not exist.*migrations/);
});
