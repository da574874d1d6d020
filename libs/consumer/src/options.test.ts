import { createLogger } from '@shopflow/telemetry';
import { expect, it } from 'vitest';
import { completeOptions, type ConsumerOptions } from './options.js';

const complete = (change: object) =>
  completeOptions({ group: 'audit', brokers: '127.0.0.1:9092', logger: createLogger('test', 'fatal'), ...change } as ConsumerOptions);

it.each([
  {},
  { backoff: { firstMs: 1, mostMs: 1 }, breakerProbe: { firstMs: 50.5, mostMs: 2_147_483_647 } },
  { retryDelaysMs: [0, 0, 0] },
  { retryDelaysMs: [600_000, 60_000, 5_000.5], lanes: undefined },
])('takes %o', (options) => {
  expect(complete(options)).toMatchObject(JSON.parse(JSON.stringify(options)) as object);
});

it.each([
  ['chunkSize', 0, 'at least 1'],
  ['lanes', NaN, 'at least 1'],
  ['sessionTimeoutMs', 1_000, 'more than 1000'],
  ['timeLimitMs', 10.5, 'whole milliseconds'],
  ['retryDelaysMs', [5_000, 60_000], '3 pauses'],
  ['retryDelaysMs', [1, 2, 3, 4], '3 pauses'],
  ['retryDelaysMs', [1, NaN, 3], 'from 0 on'],
  ['retryDelaysMs', [1, -1, 3], 'from 0 on'],
  ['retryDelaysMs', [1, Infinity, 3], 'from 0 on'],
  ['retryDelaysMs', ['1', 2, 3], 'from 0 on'],
  ['retryDelaysMs', 5_000, '3 pauses'],
  ['backoff', { firstMs: 2_000, mostMs: 1_000 }, 'firstMs ≤ mostMs'],
  ['backoff', { firstMs: 0, mostMs: 1_000 }, '1 ≤ firstMs'],
  ['backoff', { firstMs: 1_000 }, 'give firstMs and mostMs'],
  ['backoff', { firstMs: 1_000, mostMs: 2 ** 31 }, 'mostMs ≤ 2147483647'],
  ['breakerProbe', { firstMs: NaN, mostMs: 60_000 }, 'give firstMs and mostMs'],
  ['breakerProbe', { firstMs: 5_000, mostMs: Infinity }, 'mostMs ≤ 2147483647'],
  ['breakerProbe', { firstMs: -5_000, mostMs: 60_000 }, '1 ≤ firstMs'],
])('refuses %s %o, and says what to give', (name, value, remedy) => {
  const refusal = () => complete({ [name]: value });
  expect(refusal).toThrow(`consumer option ${name} is `);
  expect(refusal).toThrow(remedy);
});
