import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedKafka } from '@shopflow/servers';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectKafka } from './connect.js';
import { ensureTopics } from './ensure-topics.js';
import { classifyKafkaError } from './kafka-error.js';
import { KafkaProducer } from './producer.js';

const TOPIC = 'outage';
const LANES = 4;
const BATCH = 20;
/** A killed broker may come back as soon as this: no other test waits for this one. */
const SETTINGS = { 'broker.session.timeout.ms': '1000', 'broker.heartbeat.interval.ms': '200' };

let dir: string;
let server: EmbeddedKafka;
let kafka: ReturnType<typeof connectKafka>;
let producer: KafkaProducer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-producer-'));
  server = await EmbeddedKafka.start({ dir, settings: SETTINGS });
  kafka = connectKafka({ brokers: server.brokers, clientId: 'test', logger: testLogger() });
  await ensureTopics(kafka, [{ topic: TOPIC, partitions: 3, retentionMs: 3_600_000 }]);
  producer = await KafkaProducer.connect({ brokers: server.brokers, clientId: 'test', logger: testLogger() });
});
afterAll(async () => {
  await producer?.close();
  await server?.remove();
  await rm(dir, { recursive: true, force: true });
});

it('writes what it acknowledges, in the order of each key, with overlapping sends while the broker is killed twice', async () => {
  const acknowledged = Array<number>(LANES).fill(0);
  const failures: string[] = [];
  const stop = new AbortController();
  const lanes = acknowledged.map((_, lane) => runLane(lane, acknowledged, failures, stop.signal));
  for (let kill = 1; kill <= 2; kill++) {
    const before = Math.min(...acknowledged);
    await eventually(() => Math.min(...acknowledged) > before + 10 * BATCH, { message: 'sends between two kills' });
    await server.kill();
    await eventually(() => failures.length >= kill);
    await server.restart();
  }
  const afterwards = Math.min(...acknowledged);
  await eventually(() => Math.min(...acknowledged) > afterwards + BATCH, { message: 'sends after the last kill' });
  stop.abort();
  await Promise.all(lanes);
  expect(new Set(failures)).toEqual(new Set(['outage']));
  assertComplete(await readTopic(TOPIC, kafka), acknowledged);
}, 60_000);

/** Sends 0, 1, 2 … in batches, the same batch again after a failure, until it is stopped. */
async function runLane(lane: number, acknowledged: number[], failures: string[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const from = acknowledged[lane]!;
    const values = Array.from({ length: BATCH }, (_, i) => from + i);
    try {
      await producer.send(values.map((n) => ({ topic: TOPIC, key: `lane-${lane}`, value: String(n), headers: {} })));
      acknowledged[lane] = from + BATCH;
    } catch (error) {
      failures.push(classifyKafkaError(error));
      await delay(20);
    }
  }
}

function assertComplete(records: Awaited<ReturnType<typeof readTopic>>, acknowledged: readonly number[]): void {
  const next = new Map<string, number>();
  for (const { key, value } of records) {
    const expected = next.get(String(key)) ?? 0;
    expect(Number(value), `of ${String(key)}`).toBeLessThanOrEqual(expected); // a repetition, or the next one
    next.set(String(key), Math.max(expected, Number(value) + 1));
  }
  acknowledged.forEach((count, lane) => expect(next.get(`lane-${lane}`)).toBeGreaterThanOrEqual(count));
}
