import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKafka, ensureTopics } from '@shopflow/kafka';
import { EmbeddedKafka } from '@shopflow/servers';
import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consumerOf } from './test-support/consumer-of.js';
import { consumingService } from './test-support/consuming-service.js';
import { effects } from './test-support/effects.js';
import { publishTo } from './test-support/publish.js';
import { recordingLogger } from './test-support/recording-logger.js';

const service = consumingService();
/** A killed broker may come back soon, and a member that died with it is forgotten soon. */
const SETTINGS = { 'broker.session.timeout.ms': '1000', 'broker.heartbeat.interval.ms': '200', 'group.min.session.timeout.ms': '1000' };

let dir: string;
let kafka: EmbeddedKafka;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-consumer-'));
  kafka = await EmbeddedKafka.start({ dir, settings: SETTINGS });
});
afterAll(async () => {
  await kafka.remove();
  await rm(dir, { recursive: true, force: true });
});

it('joins again after the broker was killed, and every event takes effect once', async () => {
  const { brokers } = kafka;
  const topic = `${service.namespace}.orders.events`;
  await ensureTopics(connectKafka({ brokers, clientId: 'test', logger: testLogger() }), [{ topic, partitions: 2, retentionMs: 3_600_000 }]);
  await publishTo(brokers, ...service.orders('a', 'b'));
  const { logger, lines } = recordingLogger();
  const { group } = await service.start(consumerOf(), { brokers, logger, sessionTimeoutMs: 2_000 });
  await eventually(() => group.stats().handled === 2);
  await kafka.kill();
  await eventually(() => group.stats().state !== 'joined', { timeoutMs: 60_000 });
  expect(group.live).toBe(true);
  await expect(group.check()).rejects.toThrow('is not reading');
  await kafka.restart();
  // A broker that has just come back does not lead its partitions at once.
  const rest = service.orders('c', 'd');
  await eventually(() => publishTo(brokers, ...rest).then(() => true));
  await eventually(() => group.stats().handled === 4, { timeoutMs: 60_000 });
  expect((await effects(service.database)).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(lines.some((line) => line['msg'] === 'group audit is not connected; it tries again')).toBe(true);
}, 90_000);
