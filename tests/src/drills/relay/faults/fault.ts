import type { EmbeddedKafkaCluster, EmbeddedPostgres } from '@shopflow/servers';
import type { Random } from '../../consumer/random.js';
import type { RelayProcess } from '../relay-process.js';
import type { TakeOvers } from './take-overs.js';

/** Everything that a fault may hit. */
export interface Stage {
  readonly kafka: EmbeddedKafkaCluster;
  readonly postgres: EmbeddedPostgres;
  readonly relays: readonly RelayProcess[];
  readonly takeOvers: TakeOvers;
}

export interface Fault {
  /** `broker kill -9`, for instance: faults are counted by it. */
  readonly name: string;
  /** What it hits; nothing else is done to that meanwhile. */
  readonly target: string;
  /** What happens and for how long, for people. */
  readonly text: string;
  /** Does it, and undoes it. */
  readonly run: () => Promise<void>;
}

/** Draws one. All drawing is done here, not while it runs. */
export type DrawFault = (random: Random, stage: Stage) => Fault;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
