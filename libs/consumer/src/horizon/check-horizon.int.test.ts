import { eventually, kafkaBrokers, testKafka, testLogger, uniqueNamespace } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { recordingLogger } from '../test-support/recording-logger.js';
import { checkHorizon, type HorizonOptions, waitForHorizon } from './check-horizon.js';
import { HorizonTooShortError } from './horizon-fault.js';

const DAY_MS = 86_400_000;
const admin = testKafka().admin();
beforeAll(() => admin.connect());
afterAll(() => admin.disconnect());

let namespace: string;
beforeEach(() => void (namespace = uniqueNamespace()));

async function create(name: string, config: Record<string, string>): Promise<void> {
  const configEntries = Object.entries(config).map(([key, value]) => ({ name: key, value }));
  await admin.createTopics({ topics: [{ topic: `${namespace}.${name}`, numPartitions: 1, replicationFactor: 1, configEntries }] });
}

const options = (changes: Partial<HorizonOptions> = {}): HorizonOptions => ({
  group: 'email',
  brokers: kafkaBrokers(),
  namespace,
  topics: ['a'],
  horizonDays: 45,
  retriesMs: 665_000,
  logger: testLogger(),
  ...changes,
});
const days = (count: number) => String(count * DAY_MS);

it('takes topics that are kept as long as ours are, and such as do not exist yet', async () => {
  await create('a', { 'retention.ms': days(7) });
  await expect(checkHorizon(options({ topics: ['a', 'absent'] }))).resolves.toBeUndefined();
});

it.each([
  ['a longer retention', { 'retention.ms': days(8) }, 'a keeps 8 days'],
  ['a longer segment', { 'retention.ms': days(7), 'segment.ms': days(9) }, 'plus 9 days for its segment'],
  ['no limit', { 'retention.ms': '-1' }, 'a keeps its records for ever'],
  ['compaction alone', { 'retention.ms': days(1), 'cleanup.policy': 'compact' }, 'a keeps its records for ever'],
])('refuses a topic with %s', async (_what, config, text) => {
  await create('a', config);
  const refused = checkHorizon(options());
  await expect(refused).rejects.toThrow(HorizonTooShortError);
  await expect(refused).rejects.toThrow(text);
});

it('asks how long the DLQ really keeps dead letters', async () => {
  await create('a', { 'retention.ms': days(7) });
  await create('email.dlq', { 'retention.ms': days(60) });
  await expect(checkHorizon(options())).rejects.toThrow('email.dlq keeps 60 days');
});

it('waits while Kafka does not answer, says so once, and ends when it is told to', async () => {
  const { logger, lines } = recordingLogger();
  const stop = new AbortController();
  let ended = false;
  const waiting = waitForHorizon(options({ brokers: '127.0.0.1:1', logger }), stop.signal).then(() => (ended = true));
  await eventually(() => lines.some((line) => String(line['msg']).startsWith('Kafka cannot be asked yet')));
  expect(ended).toBe(false);
  stop.abort();
  await waiting;
});
