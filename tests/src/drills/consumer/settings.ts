/** What every process of the drill is told, as JSON in its first argument. */
export interface DrillSettings {
  readonly brokers: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly group: string;
  /** See `ConsumerOptions`. */
  readonly lanes: number;
  readonly sessionTimeoutMs: number;
  /** Lines are added when an event of fate `kills` or `hangs` begins: its id. */
  readonly startsFile: string;
  /** Of this process, e.g. `member-2`. */
  readonly name: string;
}

export const drillSettings = (): DrillSettings => JSON.parse(process.argv[2]!) as DrillSettings;

/** Short, so that an event goes through all of its tries within seconds. */
export const DELAYS_MS = [1_000, 3_000, 8_000] as const;
export const SESSION_TIMEOUT_MS = 4_000;
export const TIME_LIMIT_MS = 2_000;
export const GROUP = 'drill';
export const PARTITIONS = 6;
