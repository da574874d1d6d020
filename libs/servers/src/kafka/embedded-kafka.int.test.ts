import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKafka, ensureTopics } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmbeddedKafka } from './embedded-kafka.js';

/** A broker starts within 2 s on an idle machine, and in ten times that on one where everything else is tested too. */
const BUSY_MACHINE = { timeout: 90_000 };

/** A killed broker may come back as soon as this: no other test waits for this one. */
const settings = { 'broker.session.timeout.ms': '1000', 'broker.heartbeat.interval.ms': '200' };

let dir: string;
let kafka: EmbeddedKafka;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-kafka-'));
  kafka = await EmbeddedKafka.start({ dir, settings });
}, BUSY_MACHINE.timeout);

afterAll(async () => {
  await kafka.remove();
});

const client = () => connectKafka({ brokers: kafka.brokers, clientId: 'test', logger: createLogger('test', 'silent') });

async function topics(): Promise<string[]> {
  const admin = client().admin();
  await admin.connect();
  const names = await admin.listTopics();
  await admin.disconnect();
  return names;
}

it('keeps its topics through kill -9, and may come back on another port', BUSY_MACHINE, async () => {
  await ensureTopics(client(), [{ topic: 'kept', partitions: 2, retentionMs: 60_000 }]);
  const { port } = kafka;
  await kafka.kill();
  kafka = await EmbeddedKafka.start({ dir, settings });
  expect(kafka.port).not.toBe(port);
  expect(await topics()).toContain('kept');
});

it('deletes all that it kept when it is removed', async () => {
  await kafka.remove();
  await expect(rm(dir)).rejects.toThrow('ENOENT');
});
