import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { watchCode, type WatchOrders } from './watch-code.js';

/** The watchdog's own code, its ticks and the main thread's beats moved by hand. */
function watchdog(parts: number) {
  const orders: WatchOrders = { beats: new SharedArrayBuffer(4), limitMs: 600, parts, name: 'audit' };
  const counter = new Int32Array(orders.beats);
  const written: string[] = [];
  const killed: unknown[] = [];
  let tick = () => {};
  const modules: Record<string, unknown> = {
    'node:fs': { writeSync: (_fd: number, line: string) => written.push(line) },
    'node:worker_threads': { workerData: orders },
  };
  let hours = 0;
  class Clock extends Date {
    static override now = () => (hours += 3_600_000);
  }
  runInNewContext(watchCode, {
    require: (name: string) => modules[name],
    setInterval: (callback: () => void) => void (tick = callback),
    process: { pid: 7, kill: (...order: unknown[]) => killed.push(order) },
    Date: Clock,
  });
  const ticks = (count: number) => Array.from({ length: count }, () => tick());
  return { ticks, beat: () => Atomics.add(counter, 0, 1), written, killed };
}

it('ends the process when so many ticks in a row have passed without a beat, and writes its line first', () => {
  const { ticks, beat, written, killed } = watchdog(5);
  beat();
  ticks(5); // the first one has seen the beat
  expect(killed).toEqual([]);
  ticks(1);
  expect(killed).toEqual([[7, 'SIGKILL']]);
  expect(JSON.parse(written[0]!)).toMatchObject({ level: 'fatal', service: 'audit', blockedMs: 600 });
});

it('goes by its own ticks and by no clock: hours in which both threads stood still are one tick', () => {
  const { ticks, beat, killed } = watchdog(5);
  for (let round = 0; round < 10; round++) {
    ticks(4);
    beat();
  }
  expect(killed).toEqual([]);
});
