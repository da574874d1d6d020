import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dropDatabase, withClient, withDatabase } from '@shopflow/servers';
import type { Client } from 'pg';
import { foreignLoad } from '../consumer/foreign-load.js';
import type { ContenderSpec, Work } from './contender.js';
import { ContenderProcess } from './contender-process.js';
import type { Measurement } from './measurement.js';

const POLL_MS = 10;
/** Without any progress for so long a contender is given up; what is missing then shows in the result. */
const PATIENCE_MS = 30_000;

/** @throws Error when the contender ends by itself */
export async function measure(spec: ContenderSpec, serverUrl: string, given: Omit<Work, 'databaseUrl'>): Promise<Measurement> {
  return withOwnDatabase(serverUrl, async (databaseUrl) => {
    const work: Work = { ...given, databaseUrl, finished: spec.full ? given.finished : 0 };
    const contender = ContenderProcess.start(spec, work);
    try {
      await contender.order('prepare');
      return await withClient(databaseUrl, (client) => run(spec, contender, client, work));
    } finally {
      await contender.end();
    }
  });
}

async function run(spec: ContenderSpec, contender: ContenderProcess, client: Client, { jobs }: Work): Promise<Measurement> {
  // Writing out what the preparation left is not for the contender to pay.
  await client.query('CHECKPOINT');
  const busyBefore = await foreignLoad();
  const began = performance.now();
  await contender.order('start');
  await untilFinished(spec, contender, client, jobs);
  const seconds = (performance.now() - began) / 1_000;
  await contender.order('stop');
  return { name: spec.name, perSecond: jobs / seconds, busyBefore, ...(await judge(spec, client, jobs)) };
}

/** Counting the rows would take time from the contender: how many there are is told by their sequence until the end. */
async function untilFinished(spec: ContenderSpec, contender: ContenderProcess, client: Client, jobs: number): Promise<void> {
  await moves(jobs * (spec.rowsPerJob ?? 1), () => outboxRows(client), contender);
  await moves(0, async () => -(await countUnfinished(spec, client)), contender);
}

/** Waits until `count` has reached `goal`, or has not grown for a while. */
async function moves(goal: number, count: () => Promise<number>, contender: ContenderProcess): Promise<void> {
  let seen = -Infinity;
  let changed = Date.now();
  while (seen < goal && Date.now() - changed < PATIENCE_MS) {
    contender.assertAlive();
    const now = await count();
    if (now > seen) changed = Date.now();
    seen = Math.max(seen, now);
    if (seen < goal) await delay(POLL_MS);
  }
}

async function outboxRows(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: string }>('SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS n FROM outbox_seq_seq');
  return Number(rows[0]!.n);
}

async function countUnfinished({ unfinished }: ContenderSpec, client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(unfinished);
  return rows[0]!.n;
}

/** Every job has one `email.sent` in the outbox and is done. */
async function judge(spec: ContenderSpec, client: Client, jobs: number): Promise<Pick<Measurement, 'lost' | 'twice'>> {
  const { rows } = await client.query<{ rows: number; ids: number }>(
    `SELECT count(*)::int AS rows, count(DISTINCT payload ->> 'deliveryId')::int AS ids FROM outbox WHERE type = 'email.sent'`,
  );
  const { rows: found, ids } = rows[0]!;
  const unfinished = await countUnfinished(spec, client);
  return { lost: Math.max(jobs - ids, unfinished), twice: found - ids };
}

/** Each measurement has a database that nobody has used before. */
async function withOwnDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl, (admin) => admin.query(`CREATE DATABASE "${name}"`));
  try {
    return await work(withDatabase(serverUrl, name));
  } finally {
    await withClient(serverUrl, (admin) => dropDatabase(admin, name));
  }
}
