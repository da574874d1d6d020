// `npm run drill:deliveries`: everything that sends invoices is killed at random, and an exact check afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import { type DrillOptions, runDrill, type Servers } from './drill.js';
import { countsOfViolations, isExact, jsonOf, linesOf, tableOf } from './report.js';
import { tellOfDatabase } from './story-database.js';

const USAGE = `npm run drill:deliveries -- [--minutes 2] [--seed 1] [--story database] [--keep] [--json]

  --minutes   how long 20 invoices a second are sent and processes are killed
  --seed      what is sent, who is killed and when is drawn from it; another one each time unless given
  --story     instead: email's database is stopped for 30 s right after the provider accepted
  --keep      keeps logs and data, and says where
  --json      one line for programs, after the table

Kafka, PostgreSQL, the mail provider, relay, invoices and three instances of email are started for the drill. Exit code 1 when a promise was broken.
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function options() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, story: text, keep: flag, json: flag, help: flag } });
  const { minutes = '2', seed = String(Date.now() % 1_000_000), story } = values;
  const numbers = { minutes: Number(minutes), seed: Number(seed) };
  for (const [name, value] of Object.entries(numbers)) if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  if (story !== undefined && story !== 'database') throw new Error(`--story ${story} is not told here: database`);
  return { ...values, ...numbers };
}

/** Logs and data go at the end, unless they are kept. */
async function withServers<T>(keep: boolean, signal: AbortSignal, work: (servers: Servers) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-drill-'));
  const kafka = await EmbeddedKafka.start({ dir: join(dir, 'kafka'), settings: KAFKA_SETTINGS, onProgress: say, signal });
  const postgres = await EmbeddedPostgres.start({ dir: join(dir, 'postgres'), signal });
  try {
    return await work({ dir, kafka, postgres });
  } finally {
    await Promise.all(keep ? [kafka.stop(), postgres.stop()] : [kafka.remove(), postgres.remove()]);
    if (keep) say(`logs and data: ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

/** A killed broker may come back soon. */
const KAFKA_SETTINGS = { 'broker.session.timeout.ms': '1000', 'broker.heartbeat.interval.ms': '200' };

/** Aborted when somebody ends the drill. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort(new Error(`${signal}: given up`)));
  return interrupted.signal;
}

interface Told {
  readonly table: string;
  readonly json: object;
  readonly exact: boolean;
}

async function tell(drill: DrillOptions, servers: Servers, story: string | undefined): Promise<Told> {
  if (story === undefined) {
    const outcome = await runDrill(drill, servers);
    return { table: tableOf(outcome), json: jsonOf(outcome), exact: isExact(outcome) };
  }
  const { verdicts, evidence, sentAfterSeconds } = await tellOfDatabase(drill, servers);
  const exact = isExact({ verdicts });
  const mails = evidence.inbox.length;
  const table = [`sent ${sentAfterSeconds} s after the database came back; ${mails} e-mail received`, '', ...linesOf(verdicts), ''].join(
    '\n',
  );
  return { table, exact, json: { drill: 'deliveries', story, exact, mails, sentAfterSeconds, violations: countsOfViolations(verdicts) } };
}

async function main(): Promise<void> {
  const { minutes, seed, story, keep, json, help } = options();
  if (help) return void process.stdout.write(USAGE);
  say(`drill:deliveries with seed ${seed}`);
  const drill = { seed, ms: minutes * 60_000, say, signal: interruption() };
  const told = await withServers(keep, drill.signal, (servers) => tell(drill, servers, story));
  (json ? process.stderr : process.stdout).write(`\n${told.table}`);
  if (json) process.stdout.write(`${JSON.stringify(told.json)}\n`);
  process.exitCode = told.exact ? 0 : 1;
}

try {
  await main();
} catch (error) {
  say(`drill:deliveries: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
