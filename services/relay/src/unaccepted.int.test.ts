import { DEVELOPMENT_KEY } from '@shopflow/config';
import { ensureTopics } from '@shopflow/kafka';
import { eventually, kafkaBrokers, testKafka, testLogger } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Relay } from './relay.js';
import type { SourceRelay } from './source/source-relay.js';
import { INSERT, reaches, RelayBed } from './test-support/relay-bed.js';

let bed: RelayBed;
beforeEach(async () => {
  bed = await RelayBed.create({ topic: false });
});
afterEach(() => bed.remove());

it('acknowledges again and again, and never an event that Kafka has not accepted', async () => {
  const relay = await bed.active();
  await bed.insert('a');
  await reaches(relay, 'waiting for broker');
  await acknowledges(bed, relay);
  await relay.stop();
  expect(await logOf(bed, relay)).toContain('a');
  await createTopic(bed.topic);
  await bed.active();
  await bed.holds('a');
});

it('never acknowledges an event that is not set aside yet', async () => {
  const poisoned = await RelayBed.create({ maxMessageBytes: 20_000 });
  const relay = await poisoned.active();
  await poisoned.database.database.inTransaction(async (tx) => {
    await tx.query('LOCK TABLE outbox_set_aside IN SHARE MODE'); // nothing can be stored
    await poisoned.insert('large', { payload: JSON.stringify('x'.repeat(30_000)) });
    await eventually(async () => (await poisoned.query(WAITS_FOR_LOCK)).length > 0);
    await acknowledges(poisoned, relay);
    await relay.stop();
    expect(await logOf(poisoned, relay)).toContain('large');
  });
  await poisoned.active();
  const setAside = () => poisoned.query('SELECT event_id, state FROM outbox_set_aside');
  await eventually(async () => expect(await setAside()).toEqual([{ event_id: 'large', state: 'waiting' }]));
  await poisoned.remove();
});

const WAITS_FOR_LOCK = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until the server has heard of the relay again and again. */
async function acknowledges(from: RelayBed, { slot }: SourceRelay): Promise<void> {
  const [now] = await from.query('SELECT clock_timestamp() AS at');
  const acknowledged = `SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND reply_time > $2::timestamptz + '1.5 s'`;
  await eventually(async () => (await from.query(acknowledged, [`relay ${slot}`, now?.['at']])).length > 0);
}

/** What the slot would bring a relay that starts now. */
async function logOf(from: RelayBed, { slot }: SourceRelay): Promise<string> {
  const rows = await from.query(
    `SELECT data FROM pg_logical_slot_peek_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', 'shopflow_outbox')`,
    [slot],
  );
  return rows.map(({ data }) => (data as Buffer).toString('latin1')).join('\n');
}

it('publishes one source while another one waits for its topic', async () => {
  const other = await RelayBed.create();
  const relay = new Relay(
    {
      host: '127.0.0.1',
      port: 0,
      logLevel: 'error',
      organizationKey: DEVELOPMENT_KEY,
      kafkaBrokers: kafkaBrokers(),
      shopflowNamespace: other.namespace,
      relaySources: '',
      outboxRetentionDays: 35,
      sources: [
        { name: 'email', databaseUrl: bed.database.url },
        { name: 'orders', databaseUrl: other.database.url },
      ],
    },
    testLogger('relay'),
  );
  relay.onApplicationBootstrap();
  await bed.query(INSERT.replace('orders.events', 'missing.events'), ['waits', 'ORD-1', '{}']);
  await eventually(async () => expect((await relay.report())[0]).toMatchObject({ source: 'email', state: 'waiting for broker' }));
  for (const id of ['a', 'b']) await other.insert(id);
  await other.holds('a', 'b');
  expect(await relay.report()).toMatchObject([
    { source: 'email', reason: expect.stringContaining(`${other.namespace}.missing.events`), published: 0 },
    { source: 'orders', state: 'active', published: 2 },
  ]);
  await relay.onModuleDestroy();
  await other.remove();
});

const createTopic = (topic: string) => ensureTopics(testKafka(), [{ topic, partitions: 1, retentionMs: 3_600_000 }]);
