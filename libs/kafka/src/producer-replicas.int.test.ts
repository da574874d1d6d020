import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedKafkaCluster, readIdentity } from '@shopflow/servers';
import { eventually, readTopic, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BatchProducer } from './batches/batch-producer.js';
import type { RecordBatch } from './batches/record-batch.js';
import { fill } from './batches/test-support/text-record.js';
import { untilServed } from './batches/test-support/until-served.js';
import { connectKafka } from './connect.js';
import { ensureTopics } from './ensure-topics.js';
import { KafkaProducer } from './producer.js';
import { REQUEST_MS } from './producer-client.js';

const [TOPIC, OTHER] = ['batches', 'records'];
const PARTITIONS = [0, 1, 2];
const IDLE_MS = 1_000;
const SETTINGS = {
  'auto.leader.rebalance.enable': 'false', // what is killed here comes back without a move of leaders later
  'connections.max.idle.ms': String(IDLE_MS),
  'producer.id.expiration.check.interval.ms': '100',
};
const BUSY_MACHINE = { timeout: 90_000 };
const WAIT = { timeoutMs: 30_000 };

let dir: string;
let cluster: EmbeddedKafkaCluster;
let kafka: ReturnType<typeof connectKafka>;
let producer: KafkaProducer;
let batches: BatchProducer;
/** What is written into every partition of the topic, in order. */
const expected = ['first'];

beforeAll(async () => {
  vi.spyOn(REQUEST_MS, 'answer', 'get').mockReturnValue(1_500);
  dir = await mkdtemp(join(tmpdir(), 'shopflow-replicas-'));
  cluster = await EmbeddedKafkaCluster.start({ dir, nodes: 3, settings: SETTINGS });
  kafka = connectKafka(options());
  await ensureTopics(
    kafka,
    [TOPIC, OTHER].map((topic) => ({ topic: topic!, partitions: PARTITIONS.length, retentionMs: 3_600_000 })),
  );
  const order = vi.spyOn(Math, 'random').mockReturnValue(0.5); // brokers are asked in the order of the list
  [producer, batches] = await Promise.all([KafkaProducer.connect(options()), BatchProducer.connect(options())]);
  order.mockRestore();
  for (const partition of PARTITIONS) await untilServed(batches, TOPIC!, partition);
}, BUSY_MACHINE.timeout);
afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all([producer?.close(), batches?.close()]);
  await cluster?.remove();
});

const options = () => ({ brokers: cluster.brokers, clientId: 'test', logger: testLogger() });
const toEveryPartition = (values: readonly string[]) => PARTITIONS.map((partition) => fill(batches.open(TOPIC!, partition), values));
const sendRecord = (value: string) => producer.send([{ topic: OTHER!, key: 'ORD-1', value, headers: {} }]);

/** Sends what failed again before anything else, as whoever uses it does. @returns how often something failed */
async function write(values: readonly string[]): Promise<number> {
  const failures = await writeBatches(toEveryPartition(values));
  expected.push(...values);
  return failures;
}

async function writeBatches(left: readonly RecordBatch[]): Promise<number> {
  for (let failures = 0; ; failures++) {
    const failed = await batches.send(left);
    if (failed.length === 0) return failures;
    expect(new Set(failed.map(({ error }) => error.kind))).toEqual(new Set(['outage']));
    left = failed.map(({ batch }) => batch);
    await delay(20);
  }
}

async function allInSync(): Promise<boolean> {
  const admin = kafka.admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC!, OTHER!] });
  await admin.disconnect();
  return topics.every(({ partitions }) => partitions.every(({ isr }) => isr.length === cluster.size));
}

it('goes on with the other brokers while the first of the list is there and answers nothing', BUSY_MACHINE, async () => {
  const { pid } = readIdentity(join(dir, 'node-1', 'kafka.pid'))!;
  await sendRecord('before');
  process.kill(pid, 'SIGSTOP');
  try {
    await write(['meanwhile']);
    await eventually(() => sendRecord('meanwhile').then(() => true), WAIT);
    const another = await eventually(() => BatchProducer.connect(options()), WAIT);
    await another.close();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(allInSync, WAIT);
});

it('writes everything once and in order while a broker is killed and comes back', BUSY_MACHINE, async () => {
  const next = { value: 0 };
  const writeMore = () => write(Array.from({ length: 20 }, () => String(next.value++)));
  const writeUntil = async (value: number) => {
    while (next.value < value) await writeMore();
  };
  await writeUntil(500);
  const killing = cluster.node(2).kill();
  while ((await writeMore()) === 0);
  await killing;
  const restarting = cluster.node(2).restart();
  await writeUntil(next.value + 500);
  await restarting;
  await eventually(allInSync, WAIT);
  await write(['afterwards']);
});

it('goes on after brokers have closed every connection as idle, and have forgotten the producer', BUSY_MACHINE, async () => {
  await forgetProducersAfter('200');
  const open = () => [...batches['connections'].values()].filter(({ isOpen }) => isOpen).length;
  await eventually(() => open() === 0, { timeoutMs: 10 * IDLE_MS, message: 'brokers close what is idle' });
  await write(['after a pause']);
  await write(['and on']);
});

/** A setting of the brokers that can be changed as they run. */
async function forgetProducersAfter(ms: string): Promise<void> {
  const { ConfigResourceTypes, IncrementalAlterConfigOperationTypes, incrementalAlterConfigsV1 } = await import('@platformatic/kafka');
  const connection = (await batches['client'].connectToBrokers([1])).get(1)!;
  const change = { name: 'producer.id.expiration.ms', configOperation: IncrementalAlterConfigOperationTypes.SET, value: ms };
  const everyBroker = { resourceType: ConfigResourceTypes.BROKER, resourceName: '', configs: [change] };
  await incrementalAlterConfigsV1.api.async(connection, [everyBroker], false);
}

it('accepts nothing that is on one broker alone', BUSY_MACHINE, async () => {
  await cluster.node(1).stop();
  await cluster.node(2).stop();
  const alone = { kind: 'outage', message: expect.stringContaining('NOT_ENOUGH_REPLICAS') };
  const sent = toEveryPartition(['alone']);
  await eventually(async () => {
    await expect(sendRecord('alone')).rejects.toMatchObject(alone);
    expect(await batches.send(sent)).toMatchObject(PARTITIONS.map(() => ({ error: alone })));
    return true;
  }, WAIT);
  await cluster.node(1).restart();
  await writeBatches(sent);
  await eventually(() => sendRecord('alone').then(() => true), WAIT);
  const written = Map.groupBy(await readTopic(TOPIC!, kafka), ({ partition }) => partition);
  for (const partition of PARTITIONS) {
    const values = written.get(partition)!.map(({ value }) => String(value));
    const once = values.filter((value, at) => value !== values[at - 1]); // a producer that is forgotten may repeat its last batch
    expect(once).toEqual([...expected, 'alone']);
  }
});
