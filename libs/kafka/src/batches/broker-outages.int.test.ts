import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedKafka } from '@shopflow/servers';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectKafka } from '../connect.js';
import { ensureTopics } from '../ensure-topics.js';
import { BatchProducer } from './batch-producer.js';
import { fill } from './test-support/text-record.js';
import { untilServed } from './test-support/until-served.js';

const IDLE_MS = 1_000;
const SETTINGS = {
  'broker.session.timeout.ms': '1000', // a killed broker may come back as soon as this
  'broker.heartbeat.interval.ms': '200',
  'connections.max.idle.ms': String(IDLE_MS),
  'producer.id.expiration.check.interval.ms': '100',
};
const PARTITIONS = [0, 1, 2];

let dir: string;
let server: EmbeddedKafka;
let kafka: ReturnType<typeof connectKafka>;
let producer: BatchProducer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-batches-'));
  server = await EmbeddedKafka.start({ dir, settings: SETTINGS });
  kafka = connectKafka({ brokers: server.brokers, clientId: 'test', logger: testLogger() });
  const spec = { partitions: PARTITIONS.length, retentionMs: 3_600_000 };
  await ensureTopics(kafka, [
    { topic: 'killed', ...spec },
    { topic: 'quiet', ...spec },
  ]);
  producer = await BatchProducer.connect({ brokers: server.brokers, clientId: 'test', logger: testLogger() });
  await untilServed(producer, 'quiet', 2);
});
afterAll(async () => {
  await producer?.close();
  await server?.remove();
  await rm(dir, { recursive: true, force: true });
});

it('writes everything once and in order while the broker is killed', { timeout: 60_000 }, async () => {
  const stop = new AbortController();
  const progress = { sent: 0, failures: 0 };
  const writing = writeUntil(stop.signal, progress);
  await eventually(() => progress.sent > 500, { message: 'sends before the kill' });
  await server.kill();
  await eventually(() => progress.failures > 0);
  await server.restart();
  const { sent } = progress;
  await eventually(() => progress.sent > sent + 100, { timeoutMs: 30_000, message: 'sends after the kill' });
  stop.abort();
  await writing;
  const written = Map.groupBy(await readTopic('killed', kafka), ({ partition }) => partition);
  const all = Array.from({ length: progress.sent }, (_, n) => n);
  for (const partition of PARTITIONS) expect(written.get(partition)!.map(({ value }) => Number(value))).toEqual(all);
});

/** Sends 0, 1, 2 … to every partition, what failed again before anything else. */
async function writeUntil(signal: AbortSignal, progress: { sent: number; failures: number }): Promise<void> {
  while (!signal.aborted) {
    const values = Array.from({ length: 20 }, (_, n) => String(progress.sent + n));
    let left = PARTITIONS.map((partition) => fill(producer.open('killed', partition), values));
    for (;;) {
      const failed = await producer.send(left);
      if (failed.length === 0) break;
      expect(failed.map(({ error }) => error.kind)).toEqual(failed.map(() => 'outage'));
      progress.failures += 1;
      left = failed.map(({ batch }) => batch);
      await delay(20);
    }
    progress.sent += values.length;
  }
}

it('goes on after the broker has closed every connection as idle, and has forgotten the producer', async () => {
  const send = (...values: string[]) => producer.send([fill(producer.open('quiet', 0), values)]);
  await untilServed(producer, 'quiet', 2);
  expect(await send('a', 'b')).toEqual([]);
  await configure('producer.id.expiration.ms=200');
  const open = () => [...producer['connections'].values()].filter(({ isOpen }) => isOpen).length;
  await eventually(() => open() === 0, { timeoutMs: 5 * IDLE_MS, message: 'the broker closes what is idle' });
  expect(await send('c')).toEqual([]);
  expect(await send('d')).toEqual([]);
  const written = (await readTopic('quiet', kafka)).filter(({ partition }) => partition === 0);
  expect(written.map(({ value }) => String(value))).toEqual(['a', 'b', 'c', 'd']);
});

/** A setting of the broker that can be changed as it runs. */
function configure(setting: string): Promise<void> {
  const whom = ['--bootstrap-server', server.brokers, '--alter', '--entity-type', 'brokers', '--entity-default'];
  return server.runTool('org.apache.kafka.tools.ConfigCommand', ...whom, '--add-config', setting);
}
