import { setTimeout as delay } from 'node:timers/promises';
import type { DrillSource } from './drill-source.js';
import type { DrillEvent } from './evidence/evidence.js';
import { countWaiting } from './evidence/read-stored.js';
import type { FaultSequence } from './faults/fault-sequence.js';
import type { RelayProcess } from './relay-process.js';

const EVERY_MS = 5_000;

export interface Watched {
  readonly sources: readonly DrillSource[];
  readonly relays: readonly RelayProcess[];
  readonly history: readonly DrillEvent[];
  readonly faults: FaultSequence;
}

/** Says every few seconds how far it is. */
export async function tellProgress(watched: Watched, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const began = Date.now();
  while (!signal.aborted) {
    say(`${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${await lineOf(watched)}`);
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function lineOf({ sources, relays, history, faults }: Watched): Promise<string> {
  const waiting = await Promise.all(sources.map((source) => countWaiting(source))).then(
    (counts) => `waiting ${counts.join(' and ')}`,
    () => 'the database does not answer',
  );
  return `written ${history.length}, ${waiting}, relays ${relays.map(({ state }) => state).join(' and ')}; last fault: ${faults.last}`;
}
