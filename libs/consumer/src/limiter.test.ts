import { expect, it } from 'vitest';
import { backoffMs } from './backoff.js';
import { Limiter } from './limiter.js';

it('runs no more at once than it may, in the order of asking', async () => {
  const limiter = new Limiter(2);
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const started: number[] = [];
  const all = gates.map((gate, index) => limiter.run(async () => (started.push(index), gate.promise)));
  expect(started).toEqual([0, 1]);
  gates[1]!.resolve();
  await all[1];
  expect(started).toEqual([0, 1, 2]);
  gates.forEach((gate) => gate.resolve());
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3]);
});

it('gives its place back when the work fails', async () => {
  const limiter = new Limiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(limiter.run(async () => 'next')).resolves.toBe('next');
});

it('doubles the pause up to its limit', () => {
  expect([1, 2, 3, 6, 100].map((failures) => backoffMs({ firstMs: 1_000, mostMs: 30_000 }, failures))).toEqual([
    1_000, 2_000, 4_000, 30_000, 30_000,
  ]);
});

it('runs nothing beside work that wants to be alone, which waits for its turn like all', async () => {
  const limiter = new Limiter(2);
  const running = new Set<string>();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    running.add(name);
    seen.push([...running].join('+'));
    await Promise.resolve();
    running.delete(name);
  };
  await Promise.all([limiter.run(work('a')), limiter.runAlone(work('b')), limiter.run(work('c')), limiter.run(work('d'))]);
  expect(seen).toEqual(['a', 'b', 'c', 'c+d']);
});
