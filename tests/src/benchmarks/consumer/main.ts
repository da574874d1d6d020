// `npm run bench:consumer`: our consumer beside a Nest microservice and the bare client, one after the other on one machine.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Servers, startServers } from '@shopflow/servers';
import { createLogger } from '@shopflow/telemetry';
import { compareLanes } from './lanes.js';
import { type Report, reportFilled, reportLanes, reportThroughput } from './report.js';
import { type BenchPlace, compareFilled, compareThroughput } from './throughput.js';

const USAGE = `npm run bench:consumer -- [--json] [--records 200000] [--only <contender> …] [--lanes | --rows 20000000]

  --json      one line for programs, after the table
  --records   records in the topic, one in ten of them the second copy of an event
  --only      these contenders alone: handler, batch, nest, nest-concurrent, kafkajs-raw
  --lanes     instead: a slow handler on one partition, with and without lanes
  --rows      instead: the batch contender with an empty processed_events, and with so many rows in it

Kafka and PostgreSQL are started for the run unless KAFKA_BROKERS and DATABASE_URL name others.
`;

const say = (message: string): void => void process.stderr.write(`${message}\n`);

function options() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      records: { type: 'string', default: '200000' },
      only: { type: 'string', multiple: true },
      lanes: { type: 'boolean', default: false },
      rows: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const records = Number(values.records);
  if (!Number.isSafeInteger(records) || records < 10) throw new Error(`--records ${values.records} is no number of records (at least 10)`);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= 1)) throw new Error(`--rows ${values.rows} is no number of rows`);
  return { ...values, records, rows };
}

async function run({ lanes, rows, records, only }: ReturnType<typeof options>, place: BenchPlace): Promise<Report> {
  if (lanes) return reportLanes(await compareLanes(place));
  if (rows !== undefined) return reportFilled(await compareFilled(place, records, rows), rows);
  return reportThroughput(await compareThroughput(place, records, only));
}

async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-bench-'));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort(new Error(`${signal}: given up`)));
  const servers = await startServers({ dir, onProgress: say, signal: interrupted.signal });
  try {
    return await Promise.race([work(servers), aborted(interrupted.signal)]);
  } finally {
    await servers.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Rejects with the signal's reason. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

async function main(): Promise<void> {
  const given = options();
  if (given.help) return void process.stdout.write(USAGE);
  const lines = await withServers(async ({ kafkaBrokers: brokers, databaseUrl }) => {
    const place = {
      brokers,
      databaseUrl,
      logger: createLogger('bench', 'error'),
      namespace: `bench-${randomBytes(4).toString('hex')}`,
      say,
    };
    return run(given, place);
  });
  (given.json ? process.stderr : process.stdout).write(lines.table);
  if (given.json) process.stdout.write(`${JSON.stringify(lines.json)}\n`);
  process.exitCode = lines.exact ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`bench:consumer: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
