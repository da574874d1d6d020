// `npm run drill:consumer`: a consumer group under every fault that we promise to survive, and an exact check afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import { createLogger } from '@shopflow/telemetry';
import { runDrill, type Servers } from './drill.js';
import { SERVER_SETTINGS } from './drill-database.js';
import { jsonOf, type Outcome, tableOf, violationsOf } from './report.js';

const USAGE = `npm run drill:consumer -- [--minutes 5] [--seed 1] [--rate 200] [--lanes 1] [--keep] [--json]

  --minutes   how long events are published and faults happen; 0.7 for a short form, from 4 on with the database away for a minute
  --seed      what happens, to whom and when is drawn from it; another one each time unless given
  --rate      events per second
  --lanes     keys of a partition that are handled at once
  --keep      keeps logs and data, and says where
  --json      one line for programs, after the table

Kafka and PostgreSQL are started for the drill. Exit code 1 when a promise was broken.
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function options() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, rate: text, lanes: text, keep: flag, json: flag, help: flag } });
  const { minutes = '5', seed = String(Date.now() % 1_000_000), rate = '200', lanes = '1' } = values;
  const numbers = { minutes: Number(minutes), seed: Number(seed), rate: Number(rate), lanes: Number(lanes) };
  for (const [name, value] of Object.entries(numbers)) if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return { ...values, ...numbers };
}

/** A killed broker may come back soon. Logs and data go at the end, unless they are kept. */
async function withServers<T>(keep: boolean, signal: AbortSignal, work: (servers: Servers) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-drill-'));
  const kafka = await EmbeddedKafka.start({ dir: join(dir, 'kafka'), settings: KAFKA_SETTINGS, onProgress: say, signal });
  const postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), settings: SERVER_SETTINGS, signal });
  try {
    return await work({ dir, kafka, postgres, logger: createLogger('drill', 'fatal') });
  } finally {
    await Promise.all(keep ? [kafka.stop(), postgres.stop()] : [kafka.remove(), postgres.remove()]);
    if (keep) say(`logs and data: ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

const KAFKA_SETTINGS = {
  'broker.session.timeout.ms': '1000',
  'broker.heartbeat.interval.ms': '200',
  'group.min.session.timeout.ms': '1000',
};

/** Aborted when somebody ends the drill. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort(new Error(`${signal}: given up`)));
  return interrupted.signal;
}

async function main(): Promise<void> {
  const { minutes, seed, rate, lanes, keep, json, help } = options();
  if (help) return void process.stdout.write(USAGE);
  say(`drill:consumer with seed ${seed}`);
  const drill = { seed, ms: minutes * 60_000, perSecond: rate, lanes, say, signal: interruption() };
  const outcome: Outcome = await withServers(keep, drill.signal, (servers) => runDrill(drill, servers));
  (json ? process.stderr : process.stdout).write(`\n${tableOf(outcome)}`);
  if (json) process.stdout.write(`${JSON.stringify(jsonOf(outcome))}\n`);
  process.exitCode = violationsOf(outcome) === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`drill:consumer: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
