// `npm run bench:deliveries`: our ledger beside graphile-worker and pg-boss, one after the other on one PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@shopflow/servers';
import { CONTENDERS, type ContenderSpec } from './contender.js';
import { measure } from './measure.js';
import { isExact, type Measurement, medians, ratiosOf } from './measurement.js';
import { type BenchOptions, readOptions } from './options.js';
import { jsonOf, tableOf } from './report.js';

const NAMES = CONTENDERS.map(({ name }) => name);

const USAGE = `npm run bench:deliveries -- [--json] [--jobs 20000] [--rounds 2] [--concurrency 5] [--finished 1000000] [--only <contender> …]

  --json         one line for programs, after the table
  --jobs         queued before the start
  --rounds       each contender so many times, in turn, every second time in the opposite order; medians are told
  --concurrency  jobs in hand at once
  --finished     rows of finished deliveries in the full ledger
  --only         these contenders alone: ${NAMES.join(', ')}

PostgreSQL is started for the run. Exit code 1 when any job was lost or finished twice.
`;

/** As a production server of this size would have it; fsync and synchronous_commit are on, as always. */
const POSTGRES_SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB' };
const WARM_JOBS = 2_000;

const say = (message: string): void => void process.stderr.write(`${message}\n`);

async function withPostgres<T>(work: (serverUrl: string) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort(new Error(`${name}: given up`)));
  const { signal } = interrupted;
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-bench-'));
  const postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), settings: POSTGRES_SETTINGS, signal });
  const givenUp = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  try {
    return await Promise.race([work(postgres.url), givenUp]);
  } finally {
    await postgres.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare(serverUrl: string, { only, rounds, ...given }: BenchOptions): Promise<Measurement[]> {
  const chosen = CONTENDERS.filter(({ name }) => only.length === 0 || only.includes(name));
  say('warming PostgreSQL up');
  await measure(CONTENDERS[0]!, serverUrl, { ...given, jobs: Math.min(WARM_JOBS, given.jobs) });
  const results: Measurement[] = [];
  for (let round = 1; round <= rounds; round++)
    for (const spec of round % 2 === 1 ? chosen : chosen.toReversed())
      results.push(await measureAloud(spec, `${spec.name} (${round} of ${rounds})`, serverUrl, given));
  return medians(results);
}

async function measureAloud(spec: ContenderSpec, title: string, serverUrl: string, given: Parameters<typeof measure>[2]) {
  say(`measuring ${title}`);
  const result = await measure(spec, serverUrl, given);
  say(`  ${Math.round(result.perSecond)} per second; ${result.busyBefore} % busy before${isExact(result) ? '' : '; NOT EXACT'}`);
  return result;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), NAMES);
  if (options.help) return void process.stdout.write(USAGE);
  const results = await withPostgres((serverUrl) => compare(serverUrl, options));
  const ratios = ratiosOf(results);
  (options.json ? process.stderr : process.stdout).write(tableOf(results, ratios));
  const { jobs, rounds, concurrency, finished } = options;
  if (options.json) process.stdout.write(`${JSON.stringify(jsonOf({ jobs, rounds, concurrency, finished }, results, ratios))}\n`);
  process.exitCode = results.every(isExact) ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`bench:deliveries: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// What a run that was given up has left open must not keep it alive.
process.exit();
