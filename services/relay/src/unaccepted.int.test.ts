import { ensureTopics } from '@shopflow/kafka';
import { eventually, kafkaBrokers, testKafka, testLogger } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Relay } from './relay.js';
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
  const [now] = await bed.query('SELECT clock_timestamp() AS at');
  const acknowledged = `SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND reply_time > $2::timestamptz + '1.5 s'`;
  await eventually(async () => (await bed.query(acknowledged, [`relay ${relay.slot}`, now?.['at']])).length > 0);
  await relay.stop();
  expect(await logOf(relay.slot)).toContain('a');
  await createTopic(bed.topic);
  await bed.active();
  await bed.holds('a');
});

/** The ids of the events that the slot would bring a relay that starts now. */
async function logOf(slot: string): Promise<string> {
  const rows = await bed.query(
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
