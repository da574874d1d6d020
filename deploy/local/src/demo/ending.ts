import type { Progress } from '../progress.js';
import type { SystemOptions } from '../start-system.js';
import type { System } from '../system.js';

/** How a story ended. */
export interface Ending {
  /** For machines. */
  readonly outcome: object;
  /** For people: what should be there, and where it is not, what is there instead. */
  readonly lines: readonly string[];
  readonly isExpected: boolean;
}

export interface Story {
  /** What of the system is as this story wants it. */
  readonly setting: Pick<SystemOptions, 'beforeServices' | 'further'>;
  play(system: System, stop: AbortSignal, say: Progress): Promise<Ending>;
}
