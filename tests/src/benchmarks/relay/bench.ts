import type { Logger } from '@shopflow/telemetry';

/** What every measurement of a run has in common. */
export interface Bench {
  /** host:port list. */
  readonly brokers: string;
  /** Of the server: each measurement has a database of its own. */
  readonly serverUrl: string;
  /** Configuration and logs of contenders. */
  readonly dir: string;
  /** Events in each of the two backlogs. */
  readonly rows: number;
  /** How long single events are committed at a steady rate. */
  readonly latencySeconds: number;
  readonly logger: Logger;
  /** Tells a person how far it is. */
  readonly say: (message: string) => void;
  /** Aborted when the run is given up. */
  readonly signal: AbortSignal;
}

/** Where one contender works. */
export interface Place extends Bench {
  /** What its topic and its slot begin with; nobody else's do. */
  readonly namespace: string;
  /** Of the outbox. */
  readonly databaseUrl: string;
}
