import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { standardTerminal } from '@shopflow/command-line';
import { migrate } from '@shopflow/database';
import { outboxMigrations, slotName } from '@shopflow/outbox';
import { EmbeddedPostgres, withClient } from '@shopflow/servers';
import { eventually, kafkaBrokers, readTopic, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAdoptCommand } from './commands/adopt.js';
import { SourceRelay } from './source/source-relay.js';
import { INSERT, reaches } from './test-support/relay-bed.js';
import { STANDBY_SLOT, startStandby } from './test-support/standby.js';

const KEYS = 5;

let dir: string;
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let topic: string;
const namespace = uniqueNamespace();
const relays: SourceRelay[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-failover-'));
  await chmod(dir, 0o755); // the account that PostgreSQL runs as reaches it
  const settings = { synchronized_standby_slots: STANDBY_SLOT };
  primary = await EmbeddedPostgres.start({ dir: join(dir, 'primary'), settings });
  topic = await uniqueTopic({ namespace, name: 'orders.events', partitions: 3 });
  await migrate(primary.url, outboxMigrations);
  standby = await startStandby(primary, join(dir, 'standby'));
});
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await Promise.all([primary?.remove(), standby?.remove()]);
  await rm(dir, { recursive: true, force: true });
});

function relayOf({ url }: EmbeddedPostgres): SourceRelay {
  const relay = new SourceRelay({ name: 'orders', databaseUrl: url, namespace, brokers: kafkaBrokers(), logger: testLogger('relay') });
  relays.push(relay);
  relay.start();
  return relay;
}

const query = <Row extends object>({ url }: EmbeddedPostgres, text: string, values: unknown[] = []) =>
  withClient(url, async (client) => (await client.query(text, values)).rows as Row[]);

/** What the documentation tells to look at before a switch. */
const isSynced = async () => {
  await query(primary, 'SELECT pg_log_standby_snapshot()'); // what the server does by itself every 15 s: a new slot waits for it
  const [slot] = await query<{ ready: boolean }>(
    standby,
    `SELECT synced AND NOT temporary AND invalidation_reason IS NULL AS ready FROM pg_replication_slots WHERE slot_name = $1`,
    [slotName(namespace, 'orders')],
  );
  return slot?.ready;
};

/** How many events the primary has committed. */
let committed = 0;

/** Writes events one after the other until the primary is gone. */
async function writeUntilGone(): Promise<void> {
  const writing = withClient(primary.url, async (client) => {
    client.on('error', () => {}); // its end, which the query in progress tells of
    for (; ; committed++) {
      await client.query(INSERT, [`evt-${committed}`, `ORD-${committed % KEYS}`, '{}']);
      await delay(2);
    }
  });
  await expect(writing).rejects.toThrow();
}

it('goes on with the promoted standby: nothing that it holds is lost, nothing that it lacks was published, few events are repeated', async () => {
  await reaches(relayOf(primary), 'active');
  await eventually(isSynced);
  const writing = writeUntilGone();
  const next = relayOf(standby);
  await eventually(async () => (await readTopic(topic)).length >= 300);
  expect(next.status).toMatchObject({ state: 'waiting for database', reason: expect.stringContaining('the server is a standby') });
  await loseWhatComesNow(50);
  await writing;
  await query(standby, 'SELECT pg_promote()');
  await reaches(next, 'active');
  await query(standby, INSERT, ['last', 'ORD-0', '{}']);
  await eventually(async () => (await eventIds()).includes('last'));

  const held = (await query<{ id: string }>(standby, 'SELECT id FROM outbox ORDER BY seq')).map(({ id }) => id);
  const sent = await eventIds();
  expect(committed, 'events that died with the primary').toBeGreaterThan(held.length);
  expect([...new Set(sent)].sort()).toEqual([...held].sort());
  for (let key = 0; key < KEYS; key++) expect(firstTimes(sent, key)).toEqual(firstTimes(held, key));
  expect(sent.length - held.length, 'events that were repeated').toBeLessThan(200);
}, 60_000);

it('refuses a slot that the server has invalidated, and publishes what it would have brought once it is adopted', async () => {
  await eventually(async () => (await query<{ waiting: string }>(standby, 'SELECT waiting FROM outbox_backlog'))[0]?.waiting === '0');
  await Promise.all(relays.map((relay) => relay.stop()));
  await query(standby, `ALTER SYSTEM SET idle_replication_slot_timeout = '1s'`);
  await query(standby, 'SELECT pg_reload_conf()');
  await query(standby, INSERT, ['missed', 'ORD-0', '{}']);
  await eventually(async () => {
    await query(standby, 'CHECKPOINT'); // what looks after slots
    return (await query(standby, 'SELECT FROM pg_replication_slots WHERE invalidation_reason IS NOT NULL')).length === 1;
  });
  const refused = relayOf(standby);
  await reaches(refused, 'refused');
  expect(refused.status.reason).toMatch(/^slot \S+ was invalidated by the server \(idle_timeout\): .* 1 event may not be published/);
  await refused.stop();
  const sources = [{ name: 'orders', databaseUrl: standby.url }];
  const context = { namespace, sources, relayUrls: [], terminal: standardTerminal, clock: () => new Date() };
  expect(await runAdoptCommand(context, ['orders', '--why', 'test'])).toMatchObject({ ok: true });
  await reaches(relayOf(standby), 'active');
  await eventually(async () => (await eventIds()).includes('missed'));
}, 60_000);

/** The primary commits this many events that never reach the standby, and dies. */
async function loseWhatComesNow(events: number): Promise<void> {
  await standby.stop();
  const before = committed;
  await eventually(() => committed > before + events);
  await primary.kill();
  await standby.restart();
}

const eventIds = async () => (await readTopic(topic)).map(({ headers }) => String(headers?.['ce_id']));

/** The events of a key, each at its first place. */
const firstTimes = (ids: readonly string[], key: number) => [...new Set(ids)].filter((id) => Number(id.slice(4)) % KEYS === key);
