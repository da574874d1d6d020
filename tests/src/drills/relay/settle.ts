import { setTimeout as delay } from 'node:timers/promises';
import type { DrillSource } from './drill-source.js';
import { countWaiting } from './evidence/read-stored.js';

const LOOK_MS = 250;
/** Without any change for so long nothing more is expected. */
const PATIENCE_MS = 60_000;

/** Waits until nothing waits to be published. @returns how many events of each source still do when nothing happens any more */
export async function settle(sources: readonly DrillSource[], signal: AbortSignal): Promise<Record<string, number>> {
  for (let before = '', since = Date.now(); ; await delay(LOOK_MS)) {
    signal.throwIfAborted();
    const counts = await Promise.all(sources.map((source) => countWaiting(source).catch(() => Infinity)));
    if (counts.join() !== before) since = Date.now();
    before = counts.join();
    if (counts.every((count) => count === 0) || Date.now() - since > PATIENCE_MS) {
      return Object.fromEntries(sources.map(({ name }, index) => [name, counts[index]!]));
    }
  }
}
