import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, migrate } from '@shopflow/database';
import { EmbeddedPostgres } from '@shopflow/servers';
import { eventually, kafkaBrokers, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consumerOf } from './test-support/consumer-of.js';
import { effectMigrations, effects } from './test-support/effects.js';
import { ORDERS, orderRecord, publishTo } from './test-support/publish.js';
import { startGroup } from './test-support/start-group.js';

const AWAY_MS = 8_000;
let dir: string;
let postgres: EmbeddedPostgres;
let database: Database;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-consumer-'));
  postgres = await EmbeddedPostgres.start({ dir });
  await migrate(postgres.url, effectMigrations);
  database = await new Database({ url: postgres.url, applicationName: 'test' }).connect();
});
afterAll(async () => {
  await database?.close();
  await postgres?.remove();
  await rm(dir, { recursive: true, force: true });
});

/** Publishes some events again and again until it is stopped. @returns their ids */
async function load(namespace: string, stopped: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  while (!stopped()) {
    const some = Array.from({ length: 20 }, (_, n) => `evt-${ids.length + n}`);
    await publishTo(kafkaBrokers(), ...some.map((id, n) => orderRecord(namespace, { id, orderId: `ORD-${n}` })));
    ids.push(...some);
  }
  return ids;
}

it('waits for a database that crashes under load: nothing is held, charged or dead, and every effect is there once', async () => {
  const namespace = uniqueNamespace();
  await uniqueTopic({ namespace, name: ORDERS, partitions: 2 });
  let stopped = false;
  const loading = load(namespace, () => stopped);
  const { group, stop } = await startGroup({ namespace, database, controllers: [consumerOf()], sweepMs: 500 });
  try {
    await eventually(() => group.stats().handled > 100);
    await postgres.kill();
    const away = Date.now();
    await eventually(() => Date.now() - away > AWAY_MS && group.stats().partitions.every(({ waiting }) => (waiting?.attempts ?? 0) > 3));
    await postgres.restart();
    stopped = true;
    const ids = await loading;
    await eventually(() => group.stats().handled >= ids.length, { timeoutMs: 30_000 });
    expect((await effects(database)).sort()).toEqual([...ids].sort());
    expect(group.stats()).toMatchObject({ failures: 0, followers: 0, deadLettered: 0, healed: 0 });
  } finally {
    stopped = true;
    await stop();
  }
}, 90_000);
