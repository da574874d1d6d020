import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const WATCHED_MS = 1_000;

/** What anything used of the processors during one second in which we do nothing, in percent. */
export async function foreignLoad(): Promise<number> {
  const before = ticks();
  await delay(WATCHED_MS);
  const after = ticks();
  return Math.round((100 * (after.busy - before.busy)) / (after.busy + after.idle - before.busy - before.idle));
}

function ticks(): { busy: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { idle, busy: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0) };
}
