/** What a contender's process is given. */
export interface Work {
  /** Of a database of its own, which nobody has used before. */
  readonly databaseUrl: string;
  readonly jobs: number;
  readonly concurrency: number;
  /** Rows of finished work that lie in the table before. */
  readonly finished: number;
}

/** A way to fetch jobs, and to finish each together with an outbox row. */
export interface Contender {
  /** Makes the tables, and queues the jobs: one e-mail each, with the ids `delivery-1` … */
  prepare(work: Work): Promise<void>;
  /** Everything that can be done before the clock starts. */
  load(work: Work): Promise<Loaded>;
}

export interface Loaded {
  start(): Promise<void> | void;
  stop(): Promise<void>;
}

/** What differs between the contenders. */
export interface ContenderSpec {
  readonly name: string;
  /** A module of `contenders` that exports `contenderOf(variant)`. */
  readonly file: string;
  readonly variant?: string;
  /** Counts, as `n`, the jobs that are not done. */
  readonly unfinished: string;
  readonly full?: true;
  /** Outbox rows for each job. */
  readonly rowsPerJob?: number;
}

const OUR_UNFINISHED = `SELECT count(*)::int AS n FROM deliveries WHERE status IN ('queued', 'running', 'dead')`;
const GRAPHILE_UNFINISHED = 'SELECT count(*)::int AS n FROM graphile_worker._private_jobs';
const PG_BOSS_UNFINISHED = `SELECT count(*)::int AS n FROM pgboss.job WHERE state <> 'completed'`;

/** Those that are compared stand beside each other, so that whatever else the machine does hits both. */
export const CONTENDERS: readonly ContenderSpec[] = [
  { name: 'ours', file: 'ours', unfinished: OUR_UNFINISHED },
  { name: 'graphile-worker', file: 'graphile-worker', unfinished: GRAPHILE_UNFINISHED },
  { name: 'pg-boss', file: 'pg-boss', unfinished: PG_BOSS_UNFINISHED },
  { name: 'ours-full', file: 'ours', unfinished: OUR_UNFINISHED, full: true },
  { name: 'ours-first', file: 'ours', variant: 'first', unfinished: OUR_UNFINISHED, rowsPerJob: 2 },
  { name: 'graphile-direct', file: 'graphile-worker', variant: 'direct', unfinished: GRAPHILE_UNFINISHED },
  { name: 'pg-boss-100', file: 'pg-boss', variant: '100', unfinished: PG_BOSS_UNFINISHED },
];
