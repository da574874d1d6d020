import { expect, it } from 'vitest';
import { latencyOf } from './latency.js';
import { readOptions } from './options.js';

it('measures 200,000 rows in two rounds unless told otherwise', () => {
  const defaults = { rows: 200_000, rounds: 2, latencySeconds: 30, only: [], published: undefined, json: false, help: false };
  expect(readOptions([], ['relay'])).toEqual(defaults);
  expect(readOptions(['--rows', '2000', '--only', 'relay', '--json'], ['relay'])).toEqual({
    ...defaults,
    rows: 2_000,
    only: ['relay'],
    json: true,
  });
});

it.each([
  ['--rows', 'many'],
  ['--rounds', '0'],
  ['--published', '1.5'],
  ['--only', 'polling'],
])('refuses %s %s by name', (option, value) => {
  expect(() => readOptions([option, value], ['relay'])).toThrow(`${option} ${value}`);
});

it('tells of latencies the middle, the slowest hundredth and the slowest', () => {
  const milliseconds = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(latencyOf(milliseconds)).toEqual({ p50Ms: 51, p99Ms: 100, maxMs: 100 });
  expect(latencyOf([])).toBeUndefined();
});
