import { setTimeout as delay } from 'node:timers/promises';
import type { RelayProcess } from './relay-process.js';

const LOOK_MS = 1_000;
/** States out of which a source does not come by itself. */
const ASK_FOR_A_PERSON = new Set(['blocked', 'refused']);

/** Looks at every source of every relay until the signal. @returns each state that asks for a person, once for each reason */
export async function watchForAlarms(relays: readonly RelayProcess[], signal: AbortSignal): Promise<string[]> {
  const alarms = new Set<string>();
  while (!signal.aborted) {
    const states = await Promise.all(relays.map((relay) => relay.sources().catch(() => [])));
    for (const { source, state, reason } of states.flat())
      if (ASK_FOR_A_PERSON.has(state)) alarms.add(`${source} was ${state}: ${reason ?? ''}`);
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return [...alarms];
}
