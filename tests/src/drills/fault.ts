import type { Random } from './consumer/random.js';

export interface Fault {
  /** `kill -9`, for instance: faults are counted by it. */
  readonly name: string;
  /** What it hits; nothing else is done to that meanwhile. */
  readonly target: string;
  /** What happens and for how long, for people. */
  readonly text: string;
  /** Does it, and undoes it. */
  readonly run: () => Promise<void>;
}

/** Draws one. All drawing is done here, not while it runs. `Stage` is everything that a fault of the drill may hit. */
export type DrawFault<Stage> = (random: Random, stage: Stage) => Fault;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
