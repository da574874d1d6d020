import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orderCreated } from '@shopflow/contracts';
import { connectKafka, ensureTopics, KafkaProducer, partitionOfKey, physicalTopic } from '@shopflow/kafka';
import { EmbeddedKafka, withClient } from '@shopflow/servers';
import { createTestDatabase, eventually, type TestDatabase, testLogger } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { drillMigrations } from './drill-database.js';
import { type Evidence, readStored } from './evidence.js';
import { eventOf, type Fate, idOf, keyOf } from './fate.js';
import { Member } from './members.js';
import { GROUP } from './settings.js';
import { toRecord } from './workload.js';

/** What died with its process is forgotten by the broker soon. */
const SETTINGS = { 'group.min.session.timeout.ms': '1000' };
const SESSION_TIMEOUT_MS = 2_000;
const KEYS = ['A', 'B', 'C'].map((_, number) => keyOf('each', number));

let dir: string;
let kafka: EmbeddedKafka;
let database: TestDatabase;
let member: Member | undefined;
let namespace: string;
let count = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-crashing-'));
  kafka = await EmbeddedKafka.start({ dir: join(dir, 'kafka'), settings: SETTINGS });
});
afterAll(async () => {
  await kafka?.remove();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  namespace = `crashing-${count++}`;
  database = await createTestDatabase(drillMigrations);
  await writeFile(join(dir, 'starts'), '');
});
afterEach(async () => {
  await member?.leave();
  await database.drop();
});

/** Publishes the events in one batch to so many partitions, and starts a member: a process that comes back whenever it ends. */
async function consume(ids: readonly string[], partitions: number): Promise<void> {
  const client = { brokers: kafka.brokers, clientId: 'test', logger: testLogger() };
  const topic = physicalTopic(namespace, orderCreated.topic.name);
  await ensureTopics(connectKafka(client), [{ topic, partitions, retentionMs: 3_600_000 }]);
  const producer = await KafkaProducer.connect(client);
  await producer.send(ids.map((id) => toRecord(eventOf(id), namespace)));
  await producer.close();
  const place = { brokers: kafka.brokers, databaseUrl: database.url, namespace, group: GROUP, startsFile: join(dir, 'starts') };
  member = new Member('member', dir, { ...place, lanes: 1, sessionTimeoutMs: SESSION_TIMEOUT_MS }, () => undefined);
  await member.start();
}

/** What is stored when every event has ended and nothing is held. */
const ended = (events: number): Promise<Awaited<ReturnType<typeof readStored>>> =>
  eventually(
    async () => {
      const stored = await withClient(database.url, readStored);
      return stored.held.length === 0 && stored.effects.length + stored.letters.length === events ? stored : undefined;
    },
    { timeoutMs: 60_000, message: 'the end of every event' },
  );

const starts = async (): Promise<string[]> => (await readFile(join(dir, 'starts'), 'utf8')).trim().split('\n');
const effectsOf = ({ effects }: Pick<Evidence, 'effects'>) => effects.map(({ eventId, attempts }) => `${eventId} ${attempts}`);
const events = (...fates: readonly (readonly [Fate, number])[]) => fates.map(([fate, key], place) => idOf(fate, KEYS[key]!, place + 1));

it('refuses an event that kills its process at its fourth start; those of the same chunk are handled once, uncharged', async () => {
  const ids = events(['healthy', 0], ['healthy', 1], ['kills', 2], ['healthy', 2], ['healthy', 0]);
  await consume(ids, 1);
  const stored = await ended(ids.length);
  expect(stored.letters).toMatchObject([{ eventId: ids[2], kind: 'crashed', reason: 'crashed 3 workers', attempts: 0 }]);
  expect(effectsOf(stored)).toEqual([`${ids[0]} 0`, `${ids[1]} 0`, `${ids[3]} 0`, `${ids[4]} 0`]);
  expect(await starts()).toEqual([ids[2], ids[2], ids[2]]);
}, 90_000);

it('refuses a held event that kills its process in the same way; its followers go on, uncharged', async () => {
  const ids = events(['heals-2', 0], ['kills', 0], ['healthy', 0], ['healthy', 1]);
  await consume(ids, 1);
  const stored = await ended(ids.length);
  expect(stored.letters).toMatchObject([{ eventId: ids[1], kind: 'crashed', reason: 'crashed 3 workers', attempts: 0 }]);
  expect(effectsOf(stored).sort()).toEqual([`${ids[0]} 1`, `${ids[2]} 0`, `${ids[3]} 0`].sort());
  expect(await starts()).toEqual([ids[1], ids[1], ids[1]]);
}, 90_000);

it('does not blame what another partition was doing when the process ended', async () => {
  const keys = Array.from({ length: 20 }, (_, number) => keyOf('each', number));
  const keyIn = (partition: number) => keys.find((key) => partitionOfKey(Buffer.from(key), 2) === partition)!;
  const ids = [idOf('kills', keyIn(0), 1), idOf('slow', keyIn(1), 1)];
  await consume(ids, 2);
  const stored = await ended(ids.length);
  expect(stored.letters.map(({ eventId }) => eventId)).toEqual([ids[0]]);
}, 90_000);
