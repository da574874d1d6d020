import type { Place } from './bench.js';

/** A relay that is compared: publishes the outbox from its slot to the topic. */
export interface Contender {
  readonly name: string;
  /** Makes the slot, so that what is committed from now on waits for {@link start}. */
  prepare(place: Place): Promise<void>;
  start(place: Place): Promise<RunningContender>;
}

/** One process. */
export interface RunningContender {
  readonly pid: number;
  /** The last lines of its log, for an error that has to say why it ended. */
  lastWords?(): string;
  stop(): Promise<unknown>;
}
