import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseWatch } from './database-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that takes some time for each answer; null: it is away. */
function database(answer: () => object | null, tookMs = 0) {
  const asked = vi.fn<() => Promise<unknown>>(async () => {
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    const row = answer();
    if (row === null) throw new Error('connection refused');
    return { rows: [row] };
  });
  return { asked, watch: new DatabaseWatch({ query: asked } as unknown as Pool, 'shopflow_orders') };
}
const report = (waiting: number) => ({ waiting, oldestAgeSeconds: waiting === 0 ? 0 : 10 });

it('asks once for all who look within five seconds, and what waits grows older meanwhile', async () => {
  const { asked, watch } = database(() => report(3));
  expect(await Promise.all([watch.read(5_000), watch.read(5_000)])).toMatchObject([{ oldestAgeSeconds: 10 }, { oldestAgeSeconds: 10 }]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await watch.read(5_000)).toMatchObject({ waiting: 3, oldestAgeSeconds: 14 });
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await watch.read(5_000);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('does not wait for a database that hangs, asks it nothing more, and forgets what it said before', async () => {
  let hangs = false;
  const asked = vi.fn<() => Promise<unknown>>(() => (hangs ? new Promise(() => {}) : Promise.resolve({ rows: [report(0)] })));
  const watch = new DatabaseWatch({ query: asked } as unknown as Pool, 'shopflow_orders');
  expect(await watch.read(0)).toMatchObject({ waiting: 0 });
  hangs = true;
  for (let look = 0; look < 2; look++) {
    const answer = watch.read(0);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await answer).toBeNull();
  }
  expect(asked).toHaveBeenCalledTimes(2);
});

it('asks a database that is away again as soon as the answer is too old', async () => {
  let away = true;
  const { watch } = database(() => (away ? null : report(0)));
  expect(await watch.read(5_000)).toBeNull();
  away = false;
  expect(await watch.read(5_000)).toBeNull();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await watch.read(5_000)).toMatchObject({ waiting: 0 });
});

it('spends a twentieth of the time at most on a question that takes long', async () => {
  const { asked, watch } = database(() => report(1), 1_000);
  const first = watch.read(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toMatchObject({ waiting: 1 });
  await vi.advanceTimersByTimeAsync(19_000);
  expect(await watch.read(0)).toMatchObject({ waiting: 1, oldestAgeSeconds: 29 });
  expect(asked).toHaveBeenCalledTimes(1);
});
