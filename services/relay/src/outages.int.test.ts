import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@shopflow/database';
import { connectKafka, ensureTopics } from '@shopflow/kafka';
import { outboxMigrations } from '@shopflow/outbox';
import { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SourceRelay } from './source/source-relay.js';
import { INSERT, reaches } from './test-support/relay-bed.js';

const TOPIC = 'shopflow.orders.events';
/** A killed broker may come back as soon as this: no other test waits for this one. */
const SETTINGS = { 'broker.session.timeout.ms': '1000', 'broker.heartbeat.interval.ms': '200' };

let dir: string;
let kafka: EmbeddedKafka;
let postgres: EmbeddedPostgres;
let relay: SourceRelay;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-relay-'));
  [kafka, postgres] = await Promise.all([
    EmbeddedKafka.start({ dir: join(dir, 'kafka'), settings: SETTINGS }),
    EmbeddedPostgres.start({ dir: join(dir, 'postgres') }),
  ]);
  await ensureTopics(reader(), [{ topic: TOPIC, partitions: 3, retentionMs: 3_600_000 }]);
  await migrate(postgres.url, outboxMigrations);
  relay = new SourceRelay({
    name: 'orders',
    databaseUrl: postgres.url,
    namespace: 'shopflow',
    brokers: kafka.brokers,
    logger: testLogger('relay'),
  });
  relay.start();
  await reaches(relay, 'active');
});
afterAll(async () => {
  await relay?.stop();
  await Promise.all([kafka?.remove(), postgres?.remove()]);
  await rm(dir, { recursive: true, force: true });
});

const reader = () => connectKafka({ brokers: kafka.brokers, clientId: 'test', logger: testLogger() });
/** Each event once, in the order of its first time. */
const firstTimes = async () => [...new Set((await readTopic(TOPIC, reader())).map(({ headers }) => String(headers?.['ce_id'])))];

async function insert(...ids: string[]): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  for (const id of ids) await client.query(INSERT, [id, 'ORD-1', '{}']);
  await client.end();
}

async function holds(...ids: string[]): Promise<void> {
  await eventually(async () => {
    expect(await firstTimes()).toEqual(ids);
    return true;
  });
}

it('waits while Kafka is away, without letting its place in the log go, and goes on in order', async () => {
  await insert('a', 'b');
  await holds('a', 'b');
  await kafka.kill();
  await insert('c', 'd');
  await reaches(relay, 'waiting for broker');
  expect(relay.status.reason).toMatch(/^sending to shopflow.orders.events failed: Connection/);
  await kafka.restart();
  await insert('e');
  await holds('a', 'b', 'c', 'd', 'e');
  await reaches(relay, 'active');
}, 60_000);

it('waits while the database is away, and publishes afterwards what was committed before it crashed', async () => {
  await insert('f');
  await postgres.kill();
  await reaches(relay, 'waiting for database');
  expect(relay.status.reason).toMatch(/^the database does not serve: /);
  await postgres.restart();
  await insert('g');
  await holds('a', 'b', 'c', 'd', 'e', 'f', 'g');
  await reaches(relay, 'active');
}, 60_000);
