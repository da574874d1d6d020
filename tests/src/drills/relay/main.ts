// `npm run drill:relay`: two relays, three brokers and a PostgreSQL under every fault that we promise to survive, and an exact check afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedKafkaCluster, EmbeddedPostgres } from '@shopflow/servers';
import { createLogger } from '@shopflow/telemetry';
import { runDrill, type Servers } from './drill.js';
import { isExact, jsonOf, type Outcome, tableOf } from './report.js';

const USAGE = `npm run drill:relay -- [--minutes 5] [--seed 1] [--keep] [--json]

  --minutes   how long faults happen; at the end relays alone end six times, which takes another minute
  --seed      what happens, to whom and when is drawn from it; another one each time unless given
  --keep      keeps logs and data, and says where
  --json      one line for programs, after the table

Three Kafka brokers and PostgreSQL are started for the drill. Exit code 1 when a promise was broken; a late
take-over is told and does not count, since it may be the machine's doing.
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function options() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, keep: flag, json: flag, help: flag } });
  const { minutes = '5', seed = String(Date.now() % 1_000_000) } = values;
  const numbers = { minutes: Number(minutes), seed: Number(seed) };
  for (const [name, value] of Object.entries(numbers)) if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return { ...values, ...numbers };
}

/** Logs and data go at the end, unless they are kept. */
async function withServers<T>(keep: boolean, signal: AbortSignal, work: (servers: Servers) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-drill-'));
  const kafka = await EmbeddedKafkaCluster.start({ dir: join(dir, 'kafka'), nodes: 3, onProgress: say, signal });
  const postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), signal });
  try {
    return await work({ dir, kafka, postgres, logger: createLogger('drill', 'fatal') });
  } finally {
    await Promise.all(keep ? [kafka.stop(), postgres.stop()] : [kafka.remove(), postgres.remove()]);
    if (keep) say(`logs and data: ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

/** Aborted when somebody ends the drill. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort(new Error(`${signal}: given up`)));
  return interrupted.signal;
}

async function main(): Promise<void> {
  const { minutes, seed, keep, json, help } = options();
  if (help) return void process.stdout.write(USAGE);
  say(`drill:relay with seed ${seed}`);
  const drill = { seed, ms: minutes * 60_000, say, signal: interruption() };
  const outcome: Outcome = await withServers(keep, drill.signal, (servers) => runDrill(drill, servers));
  (json ? process.stderr : process.stdout).write(`\n${tableOf(outcome)}`);
  if (json) process.stdout.write(`${JSON.stringify(jsonOf(outcome))}\n`);
  process.exitCode = isExact(outcome) ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`drill:relay: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
