import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually, kafkaBrokers, readTopic, testKafka } from '@shopflow/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reaches, RelayBed } from './test-support/relay-bed.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const ROUND = 2_000;
const KEYS = 500;

let bed: RelayBed;
let processes: ChildProcess[];

beforeEach(async () => {
  expect(existsSync(MAIN), 'build the relay first: npx tsc -b services/relay').toBe(true);
  processes = [];
  bed = await RelayBed.create({ partitions: 6 });
});
afterEach(async () => {
  await Promise.all(processes.map((child) => end(child, 'SIGTERM')));
  await bed.remove();
});

it('loses nothing and keeps the order of every key when it is killed while events are written', async () => {
  await (await bed.active()).stop(); // the slot exists: what is killed reads the write-ahead log
  const killed = new AbortController();
  const writing = writeEventsUntil(killed.signal);
  const relay = startProcess();
  await eventually(async () => (await recordCount()) >= 8_000, { timeoutMs: 25_000 });
  await end(relay, 'SIGKILL');
  killed.abort();
  startProcess();
  const written = await writing;
  await eventually(async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0', { timeoutMs: 25_000 });
  assertCompleteAndInOrder(await readTopic(bed.topic), written);
}, 60_000);

it('hands over to a standby within seconds of its death', async () => {
  const relay = startProcess();
  await bed.insert('a');
  await bed.holds('a');
  const standby = bed.relay();
  await reaches(standby, 'standby');
  const start = performance.now();
  await end(relay, 'SIGKILL');
  await bed.insert('b');
  await reaches(standby, 'active');
  expect(performance.now() - start).toBeLessThan(5_000);
  await eventually(async () => (await bed.eventIds()).includes('b'));
});

it('writes a line with the correlation id of an event that it publishes, and ends within two seconds of SIGTERM', async () => {
  await bed.query(
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload, correlation_id)
     VALUES ('evt-ORD-1001', 'ORD-1001', 'order.created', 1, 'orders.events', '{}', 'req-7f3a')`,
  );
  const relay = startProcess();
  let output = '';
  relay.stdout?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const line = await eventually(() => output.split('\n').find((text) => text.includes('"correlationId":"req-7f3a"')));
  expect(JSON.parse(line)).toMatchObject({ service: 'relay', eventId: 'evt-ORD-1001', orderId: 'ORD-1001', msg: 'published evt-ORD-1001' });
  const start = performance.now();
  await end(relay, 'SIGTERM');
  expect(relay.exitCode).toBe(0);
  expect(performance.now() - start).toBeLessThan(2_000);
  const slots = await bed.query(`SELECT active FROM pg_replication_slots WHERE database = current_database()`);
  expect(slots).toEqual([{ active: false }]);
});

function startProcess(): ChildProcess {
  const env = {
    ...process.env,
    KAFKA_BROKERS: kafkaBrokers(),
    SHOPFLOW_NAMESPACE: bed.namespace,
    RELAY_SOURCES: JSON.stringify([{ name: 'orders', databaseUrl: bed.database.url }]),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  processes.push(child);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Event n has key n % KEYS; each in a transaction of its own, as orders write them. Answers how many there are. */
async function writeEventsUntil(ended: AbortSignal): Promise<number> {
  const client = new Client({ connectionString: bed.database.url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  let written = 0;
  for (; !ended.aborted; written += ROUND) await client.query(writeRound(written));
  await client.query(writeRound(written)); // what the next process meets besides what is left
  await client.end();
  return written + ROUND;
}

function writeRound(from: number): string {
  return `DO $$ BEGIN FOR n IN ${from}..${from + ROUND - 1} LOOP
    INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
    VALUES ('evt-' || n, 'ORD-' || n % ${KEYS}, 'order.created', 1, 'orders.events', jsonb_build_object('n', n)); COMMIT;
  END LOOP; END $$`;
}

async function recordCount(): Promise<number> {
  const admin = testKafka().admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(bed.topic);
  await admin.disconnect();
  return offsets.reduce((sum, { high }) => sum + Number(high), 0);
}

/** Repetitions are allowed; for the first time, no event of a key comes after a later one. */
function assertCompleteAndInOrder(records: Awaited<ReturnType<typeof readTopic>>, written: number): void {
  const seen = new Set<number>();
  const last = new Map<string, number>();
  for (const { key, value } of records) {
    const { n } = JSON.parse(String(value)) as { n: number };
    if (seen.has(n)) continue;
    seen.add(n);
    expect(n).toBeGreaterThan(last.get(String(key)) ?? -1);
    last.set(String(key), n);
  }
  expect(seen.size).toBe(written);
}
