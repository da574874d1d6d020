import { setTimeout as delay } from 'node:timers/promises';
import type { RelayProcess } from '../relay-process.js';
import type { Stage } from './fault.js';
import { CALM_MS } from './take-overs.js';

const ROUNDS = 3;

/** Whoever publishes ends, by a crash and by a stop, while nothing else happens: what a take-over takes by itself. */
export async function handOver({ relays, takeOvers }: Stage, signal: AbortSignal): Promise<void> {
  for (const after of Array.from({ length: ROUNDS }, () => ['crash', 'stop'] as const).flat()) {
    if (signal.aborted) return;
    await delay(CALM_MS + 500);
    const [relay, heir] = await whoPublishesFirst(relays);
    await takeOvers.measure(after, relay, heir, () => (after === 'crash' ? relay.kill() : relay.stop()));
    await relay.start();
  }
}

async function whoPublishesFirst(relays: readonly RelayProcess[]): Promise<[RelayProcess, RelayProcess]> {
  const [one, other] = relays as [RelayProcess, RelayProcess];
  const states = await one.sources().catch(() => []);
  return states.some(({ state }) => state === 'active') ? [one, other] : [other, one];
}
