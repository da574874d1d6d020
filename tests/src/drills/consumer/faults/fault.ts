import type { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import type { Clicks } from '../clicks.js';
import type { Member } from '../members.js';
import type { Random } from '../random.js';
import type { TopicPlace } from '../read-ids.js';

/** Everything that a fault may hit. */
export interface Stage extends TopicPlace {
  readonly kafka: EmbeddedKafka;
  readonly postgres: EmbeddedPostgres;
  readonly members: readonly Member[];
  /** Members that always run; the others come and go. */
  readonly regulars: number;
  readonly clicks: Clicks;
}

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

/** Draws one. All drawing is done here, not while it runs. */
export type DrawFault = (random: Random, stage: Stage) => Fault;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
