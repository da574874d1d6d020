// `npm run bench:relay`: our relay beside Debezium and beside the limits of reading and writing, one after the other on one machine.
import { createLogger } from '@shopflow/telemetry';
import type { Bench } from './bench.js';
import { withBenchServers } from './bench-servers.js';
import { compareFull } from './full-table.js';
import { isExact } from './measurement.js';
import { type BenchOptions, readOptions } from './options.js';
import { filledRatios, ratiosOf } from './ratios.js';
import { jsonOf, tableOf } from './report.js';
import { compare, contenderNames } from './rounds.js';

const USAGE = `npm run bench:relay -- [--json] [--rows 200000] [--rounds 2] [--latency 30] [--only <contender> …] [--published 10000000]

  --json       one line for programs, after the table
  --rows       events in each backlog, one transaction each
  --rounds     each contender so many times, in turn; medians are told
  --latency    seconds with 500 transactions each; 0 for none
  --only       these contenders alone: ${contenderNames.join(', ')}
  --published  instead: the relay with so many published events in its outbox, over the same with none

Kafka and PostgreSQL are started for the run. Exit code 1 when anything was lost, repeated, reordered or malformed.
`;

const say = (message: string): void => void process.stderr.write(`${message}\n`);

/** Aborted when somebody ends the run. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort(new Error(`${name}: given up`)));
  return interrupted.signal;
}

async function run({ rows, rounds, latencySeconds, only, published }: BenchOptions) {
  const signal = interruption();
  return withBenchServers(say, signal, async (servers) => {
    const bench: Bench = { ...servers, rows, latencySeconds, logger: createLogger('bench', 'fatal'), say, signal };
    if (published === undefined) {
      const results = await compare(bench, rounds, only.length === 0 ? contenderNames : only);
      return { results, ratios: ratiosOf(results) };
    }
    const results = await compareFull(bench, rounds, published);
    return { results, ratios: filledRatios(results) };
  });
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), contenderNames);
  if (options.help) return void process.stdout.write(USAGE);
  const { results, ratios } = await run(options);
  (options.json ? process.stderr : process.stdout).write(tableOf(results, ratios));
  const { rows, rounds, published } = options;
  if (options.json) process.stdout.write(`${JSON.stringify(jsonOf({ rows, rounds, published }, results, ratios))}\n`);
  process.exitCode = results.every(isExact) ? 0 : 1;
}

/** What waits when a run is given up ends with an error of its own; why is behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'AbortError' && error.cause instanceof Error ? error.cause.message : error.message;
}

try {
  await main();
} catch (error) {
  say(`bench:relay: ${reasonOf(error)}`);
  process.exitCode = 1;
}
