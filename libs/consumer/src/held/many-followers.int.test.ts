import { RETRY_TIERS, retryTopic } from '@shopflow/contracts';
import { sql, type Transaction } from '@shopflow/database';
import { KafkaProducer, physicalTopic } from '@shopflow/kafka';
import { eventually, kafkaBrokers, testKafka, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consumerOf } from '../test-support/consumer-of.js';
import { consumingService } from '../test-support/consuming-service.js';
import { effect, effects } from '../test-support/effects.js';

const FOLLOWERS = 10_000;
const OTHERS = 30;
const service = consumingService();
let producer: KafkaProducer;
beforeAll(async () => {
  producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
});
afterAll(() => producer.close());

/** Publishes an event of another key after the other, each once the one before has been handled. @returns how long each took, in ms */
async function timeOthers(name: string, handled: ReadonlySet<string>, until: () => boolean): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; !until(); n++) {
    const id = `${name}${n}`;
    const published = performance.now();
    await producer.send([service.order({ id, orderId: `ORD-${n % 10}` })]);
    await eventually(() => handled.has(id));
    took.push(performance.now() - published);
  }
  return took;
}

const p99 = (took: readonly number[]): number => took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) * 0.99)]!;

/** Records that were ever written to the group's retry topics. */
async function countWakeUps(): Promise<number> {
  const admin = testKafka().admin();
  await admin.connect();
  const names = [1, 2, 3].map((tier) => physicalTopic(service.namespace, retryTopic('audit', tier)));
  const offsets = await Promise.all(names.map((name) => admin.fetchTopicOffsets(name)));
  await admin.disconnect();
  return offsets.flat().reduce((sum, { high }) => sum + Number(high), 0);
}

async function attemptsOf(tx: Transaction, eventId: string): Promise<number> {
  const { rows } = await sql<{ attempts: number }>(tx, 'SELECT attempts FROM held_events WHERE event_id = $1', [eventId]);
  return rows[0]?.attempts ?? 0;
}

/** A consumer whose event `head` heals at its fourth try, as its group counts them. */
const healsLate = (handled: Set<string>) =>
  consumerOf(async (event, { tx }) => {
    if (event.id === 'head' && (await attemptsOf(tx, event.id)) < RETRY_TIERS) throw new Error('mail provider timed out');
    await effect(tx, event);
    handled.add(event.id);
  });

it('wakes a key of 10,000 followers a few times, handles all in order, and lets other keys go on', async () => {
  await service.createTopic();
  const handled = new Set<string>();
  const { group } = await service.start(healsLate(handled), { retryDelaysMs: [100, 200, 5_000], sweepMs: 60_000 });
  const before = await timeOthers('before', handled, () => handled.size === OTHERS);
  const followers = Array.from({ length: FOLLOWERS }, (_, n) => `f${n}`);
  await producer.send(['head', ...followers].map((id) => service.order({ id, orderId: 'ORD-A' })));
  await eventually(() => group.stats().followers === FOLLOWERS);
  await eventually(() => handled.has('head'));
  const during = await timeOthers('during', handled, () => handled.has(followers.at(-1)!));
  await eventually(async () => (await service.database.query('SELECT FROM held_keys')).count === 0);
  const ofKey = (await effects(service.database)).filter((id) => id === 'head' || id.startsWith('f'));
  expect(ofKey).toEqual(['head', ...followers]);
  expect(await countWakeUps()).toBeLessThanOrEqual(10);
  expect(group.stats()).toMatchObject({ deadLettered: 0, failures: RETRY_TIERS });
  const ratio = p99(during) / p99(before);
  process.stderr.write(
    `p99 of other keys ${p99(before).toFixed()} ms, while draining ${p99(during).toFixed()} ms: ratio ${ratio.toFixed(1)}\n`,
  );
  expect(ratio).toBeLessThan(50);
}, 60_000);
