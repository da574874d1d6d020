import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectKafka, ensureTopics } from '@shopflow/kafka';
import { EmbeddedKafkaCluster } from '@shopflow/servers';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { SourceRelay } from './source/source-relay.js';
import { reaches, RelayBed } from './test-support/relay-bed.js';

const BUSY_MACHINE = { timeout: 90_000 };
const PATIENCE = { timeoutMs: 30_000 };
const PARTITIONS = 6;
const KEYS_OF_WRITER = 5;
const INSERT = `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ($1, $2, 'order.created', 1, $3, $4)`;

interface Event {
  readonly id: string;
  readonly key: string;
}

let cluster: EmbeddedKafkaCluster;
let bed: RelayBed;
let relay: SourceRelay;
/** What was committed for `orders.events` since the file began; of each key in this order. */
const committed: Event[] = [];

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-brokers-'));
  [cluster, bed] = await Promise.all([EmbeddedKafkaCluster.start({ dir, nodes: 3 }), RelayBed.create({ topic: false })]);
  await createTopic(bed.topic);
  relay = bed.relay({ brokers: cluster.brokers });
  await eventually(() => relay.status.state === 'active', { timeoutMs: 60_000 }); // a new slot waits for others' transactions
}, BUSY_MACHINE.timeout);
afterEach(async () => {
  expect(await bed.query('SELECT event_id FROM outbox_set_aside'), 'set aside').toEqual([]);
});
afterAll(async () => {
  await bed?.remove();
  await cluster?.remove();
});

const kafka = () => connectKafka({ brokers: cluster.brokers, clientId: 'test', logger: testLogger() });
const createTopic = (topic: string) => ensureTopics(kafka(), [{ topic, partitions: PARTITIONS, retentionMs: 3_600_000 }]);

it('loses nothing and keeps the order of every key while each broker in turn is killed and comes back', BUSY_MACHINE, async () => {
  const stopWriting = startWriters(3);
  for (const number of [1, 2, 3]) {
    await cluster.node(number).kill();
    await publishesMore(100);
    await cluster.node(number).restart();
    await eventually(async () => (await replicasInSync()) === 3 * PARTITIONS, PATIENCE);
  }
  await stopWriting();
  await isComplete();
});

it('waits while two of three brokers are away and records would be on one alone, and goes on afterwards', BUSY_MACHINE, async () => {
  await cluster.node(1).stop();
  await cluster.node(2).stop();
  const { published } = relay.status;
  for (let n = 0; n < 10; n++) await commit(`ORD-away-${n % 3}`);
  await eventually(() => /NOT_ENOUGH_REPLICAS/.test(relay.status.reason ?? ''), { ...PATIENCE, message: 'the reason' });
  expect(relay.status).toMatchObject({ state: 'waiting for broker', published });
  await Promise.all([cluster.node(1).restart(), cluster.node(2).restart()]);
  await isComplete();
});

it('waits for a topic that is missing, and publishes in order once it is there', BUSY_MACHINE, async () => {
  for (const id of ['a', 'b', 'c']) await bed.query(INSERT, [id, 'ORD-1', 'new.events', '{}']);
  await commit('ORD-behind');
  const topic = `${bed.namespace}.new.events`;
  await reaches(relay, 'waiting for broker');
  expect(relay.status.reason).toContain(`sending to ${topic} failed: `);
  await createTopic(topic);
  await isComplete();
  expect(await firstTimes(topic)).toEqual(['a', 'b', 'c']);
});

it('goes on slowly and loses nothing when brokers throttle it', BUSY_MACHINE, async () => {
  await limitProducers(20_000);
  const stopWriting = startWriters(2, 'x'.repeat(2_000));
  await publishesMore(60);
  await stopWriting();
  await isComplete();
});

/** Each writes events of its own keys, one after the other. */
function startWriters(count: number, text = ''): () => Promise<void> {
  const stopping = new AbortController();
  const write = async (writer: number) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await commit(`ORD-${writer}-${n % KEYS_OF_WRITER}`, text);
      await delay(10);
    }
  };
  const running = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  return async () => {
    stopping.abort();
    await running;
  };
}

async function commit(key: string, text = ''): Promise<void> {
  const event = { id: randomUUID(), key };
  await bed.query(INSERT, [event.id, key, 'orders.events', JSON.stringify({ text })]);
  committed.push(event);
}

async function publishesMore(events: number): Promise<void> {
  const { published } = relay.status;
  await eventually(() => relay.status.published >= published + events, { ...PATIENCE, message: `${events} events more` });
}

async function replicasInSync(): Promise<number> {
  const admin = kafka().admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [bed.topic] });
  await admin.disconnect();
  return topics.flatMap(({ partitions }) => partitions).reduce((sum, { isr }) => sum + isr.length, 0);
}

/** Waits until all is published, and then looks: every event is there, and for the first time in the order of its key. */
async function isComplete(): Promise<void> {
  const nothingWaits = async () => (await bed.query('SELECT waiting FROM outbox_backlog'))[0]?.['waiting'] === '0';
  await eventually(nothingWaits, { ...PATIENCE, message: 'an empty backlog' });
  const keyOf = new Map(committed.map(({ id, key }) => [id, key]));
  const byKey = (ids: readonly string[]) => Object.fromEntries(Map.groupBy(ids, (id) => keyOf.get(id) ?? 'never committed'));
  expect(byKey(await firstTimes(bed.topic))).toEqual(byKey(committed.map(({ id }) => id)));
  await reaches(relay, 'active');
}

/** Brokers that are back get their partitions back: a reader that meets this tries again. */
const firstTimes = async (topic: string): Promise<string[]> => {
  const records = await eventually(() => readTopic(topic, kafka()), PATIENCE);
  return [...new Set(records.map(({ headers }) => String(headers['ce_id'])))];
};

/** For every client, by each broker; until the end. */
const limitProducers = (bytesPerSecond: number): Promise<void> => {
  const whom = ['--bootstrap-server', cluster.brokers, '--entity-type', 'clients', '--entity-default'];
  const change = ['--alter', '--add-config', `producer_byte_rate=${bytesPerSecond}`];
  return cluster.node(1).runTool('org.apache.kafka.tools.ConfigCommand', ...whom, ...change);
};
