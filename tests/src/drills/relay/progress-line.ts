import type { FaultSequence } from '../fault-sequence.js';
import type { DrillSource } from './drill-source.js';
import type { DrillEvent } from './evidence/evidence.js';
import { countWaiting } from './evidence/read-stored.js';
import type { Stage } from './faults/fault.js';
import type { RelayProcess } from './relay-process.js';

export interface Watched {
  readonly sources: readonly DrillSource[];
  readonly relays: readonly RelayProcess[];
  readonly history: readonly DrillEvent[];
  readonly faults: FaultSequence<Stage>;
}

/** How far the drill is. */
export async function progressLine({ sources, relays, history, faults }: Watched): Promise<string> {
  const waiting = await Promise.all(sources.map((source) => countWaiting(source))).then(
    (counts) => `waiting ${counts.join(' and ')}`,
    () => 'the database does not answer',
  );
  return `written ${history.length}, ${waiting}, relays ${relays.map(({ state }) => state).join(' and ')}; last fault: ${faults.last}`;
}
