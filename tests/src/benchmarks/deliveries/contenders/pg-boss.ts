import { migrate } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';
import { withClient } from '@shopflow/servers';
import { Pool, type PoolClient } from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import type { Contender, Work } from '../contender.js';
import { eventsOf, INSERT_EVENTS, JOB_DATA, type JobData, mailOf } from '../outbox-row.js';
import { provider } from '../provider.js';

const QUEUE = 'send';
const AT_ONCE = 1_000;

/**
 * Fetches a batch, and completes it in one transaction with its outbox rows: `complete` on the transaction's `db`. One loop with a
 * batch of all that is in hand is more than twice as fast as that many loops with one job each.
 *
 * @param variant jobs in one batch. As many as are in hand at once unless given: then no more are charged by a crash, or held
 *   back from another worker, than with the others
 */
export const contenderOf = (variant?: string): Contender => ({
  async prepare({ databaseUrl, jobs }) {
    await migrate(databaseUrl, outboxMigrations);
    const boss = await connect(databaseUrl);
    await boss.createQueue(QUEUE);
    for (let from = 1; from <= jobs; from += AT_ONCE) await boss.insert(QUEUE, await jobsOf(databaseUrl, from, jobs));
    await boss.stop({ graceful: false });
  },
  load: async (work) => {
    const boss = await connect(work.databaseUrl);
    const pool = new Pool({ connectionString: work.databaseUrl, max: work.concurrency });
    let running: Promise<void> | undefined;
    return {
      start: () => void (running = workOff(boss, pool, Number(variant ?? work.concurrency))),
      stop: async () => {
        await running;
        await boss.stop({ graceful: false });
        await pool.end();
      },
    };
  },
});

async function connect(databaseUrl: string): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  return boss;
}

const jobsOf = (databaseUrl: string, from: number, jobs: Work['jobs']): Promise<{ data: JobData }[]> =>
  withClient(databaseUrl, async (client) => {
    const to = Math.min(from + AT_ONCE - 1, jobs);
    const { rows } = await client.query<{ data: JobData }>(`SELECT ${JOB_DATA} AS data FROM generate_series($1::int, $2::int) AS n`, [
      from,
      to,
    ]);
    return rows;
  });

/** Until nothing is left. */
async function workOff(boss: PgBoss, pool: Pool, batchSize: number): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<JobData>(QUEUE, { batchSize });
    if (jobs.length === 0) return;
    const sent = await Promise.all(
      jobs.map(async ({ data }) => ({ ...data, providerId: (await provider.send(data.deliveryId, mailOf(data))).providerId })),
    );
    await finish(boss, pool, jobs, eventsOf(sent));
  }
}

async function finish(boss: PgBoss, pool: Pool, jobs: readonly Job<JobData>[], events: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(INSERT_EVENTS, events);
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
      null,
      { db: onClient(client) },
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const onClient = (client: PoolClient) => ({ executeSql: (text: string, values?: unknown[]) => client.query(text, values) });
