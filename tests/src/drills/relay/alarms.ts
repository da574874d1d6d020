import { setTimeout as delay } from 'node:timers/promises';
import type { RelayProcess } from './relay-process.js';

const LOOK_MS = 1_000;
/** Out of it a source does not come by itself. */
const ASKS_FOR_A_PERSON = 'refused';

/** Looks at every source of every relay until the signal. @returns each state that asks for a person, once for each reason */
export async function watchForAlarms(relays: readonly RelayProcess[], signal: AbortSignal): Promise<string[]> {
  const alarms = new Set<string>();
  while (!signal.aborted) {
    const states = await Promise.all(relays.map((relay) => relay.sources().catch(() => [])));
    for (const { source, state, reason } of states.flat())
      if (state === ASKS_FOR_A_PERSON) alarms.add(`${source} was ${state}: ${reason ?? ''}`);
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return [...alarms];
}
