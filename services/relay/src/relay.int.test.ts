import { DEVELOPMENT_KEY } from '@shopflow/config';
import { createTestDatabase, eventually, kafkaBrokers, type TestDatabase, testLogger } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Relay } from './relay.js';
import { INSERT, RelayBed } from './test-support/relay-bed.js';

let bed: RelayBed;
beforeEach(async () => {
  bed = await RelayBed.create();
});
afterEach(() => bed.remove());

const config = (sources: { name: string; databaseUrl: string }[]) => ({
  host: '127.0.0.1',
  port: 0,
  logLevel: 'error' as const,
  organizationKey: DEVELOPMENT_KEY,
  kafkaBrokers: kafkaBrokers(),
  shopflowNamespace: bed.namespace,
  relaySources: '',
  outboxRetentionDays: 35,
  sources,
});

it('publishes one source while another one is down, and reports both', async () => {
  const relay = new Relay(
    config([
      { name: 'email', databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' },
      { name: 'orders', databaseUrl: bed.database.url },
    ]),
    testLogger('relay'),
  );
  relay.onApplicationBootstrap();
  await bed.insert('a');
  await bed.holds('a');
  expect(await relay.report()).toMatchObject([
    { source: 'email', state: 'waiting for database', reason: expect.stringContaining('ECONNREFUSED'), database: null },
    { source: 'orders', state: 'active', reason: null, published: 1 },
  ]);
  await relay.onModuleDestroy();
});

it('lets the server free its log while its own outbox is idle and a neighbour is busy', async () => {
  const relay = await bed.active();
  const neighbour = await createTestDatabase([]);
  await fill(neighbour);
  const [now] = await bed.query('SELECT pg_current_wal_lsn() AS lsn');
  await eventually(async () => {
    const [slot] = await bed.query('SELECT confirmed_flush_lsn >= $1 AS passed FROM pg_replication_slots WHERE slot_name = $2', [
      now?.['lsn'],
      relay.slot,
    ]);
    return slot?.['passed'] === true;
  });
  await neighbour.drop();
});

async function fill({ database }: TestDatabase): Promise<void> {
  await database.query('CREATE TABLE busy AS SELECT n, repeat($1, 100) FROM generate_series(1, 20000) n', ['x']);
}

it('publishes a transaction that is larger than what it holds in memory', async () => {
  await bed.active();
  const ids = Array.from({ length: 50 }, (_, n) => `large-${n}`);
  const payload = JSON.stringify({ text: 'x'.repeat(500_000) });
  await bed.database.database.inTransaction(async (tx) => {
    for (const id of ids) await tx.query(INSERT, [id, 'ORD-1', payload]);
  });
  await bed.holds(...ids);
});
