// `npm run bench:retention`: what the relay's latency is while it deletes old events, beside what it is while it does not.
import { parseArgs } from 'node:util';
import { createLogger } from '@shopflow/telemetry';
import { withBenchServers } from '../relay/bench-servers.js';
import { measureRetention } from './measure-retention.js';
import { jsonOf, tableOf } from './report.js';

const USAGE = `npm run bench:retention -- [--json] [--rows 1000000] [--latency 30]

  --json     one line for programs, in place of the table
  --rows     published events of 40 days ago that the outbox holds: 5000000 for the real thing
  --latency  seconds of each measurement, with 500 transactions each

Kafka and PostgreSQL are started for the run. Exit code 1 when an event was lost or repeated.
`;

const say = (message: string): void => void process.stderr.write(`${message}\n`);

function readOptions(args: string[]) {
  const options = {
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    rows: { type: 'string', default: '1000000' },
    latency: { type: 'string', default: '30' },
  } as const;
  const { json, help, rows, latency } = parseArgs({ args, options }).values;
  return { json, help, rows: whole('rows', rows), latencySeconds: whole('latency', latency) };
}

function whole(name: string, given: string): number {
  const number = Number(given);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} ${given} is no whole number from 1 on`);
}

/** Aborted when somebody ends the run. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort(new Error(`${name}: given up`)));
  return interrupted.signal;
}

async function main(): Promise<void> {
  const { json, help, rows, latencySeconds } = readOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(USAGE);
  const signal = interruption();
  const result = await withBenchServers(say, signal, (servers) =>
    measureRetention({ ...servers, rows, latencySeconds, logger: createLogger('bench', 'fatal'), say, signal }),
  );
  process.stdout.write(json ? `${JSON.stringify(jsonOf(result))}\n` : tableOf(result));
  process.exitCode = result.published === result.committed ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`bench:retention: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
