import { migrate } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';
import { withClient } from '@shopflow/servers';
import { Logger, run, runMigrations, type Runner } from 'graphile-worker';
import type { Contender, Work } from '../contender.js';
import { eventsOf, INSERT_EVENTS, JOB_DATA, type JobData, mailOf } from '../outbox-row.js';
import { provider } from '../provider.js';

const TASK = 'send';
/** It says each finished job otherwise, and we do not. */
const logger = new Logger(() => () => {});

/**
 * As its page on performance recommends: a local queue, so that jobs are fetched 500 at once, and completions in batches.
 *
 * A job is completed by the library after its task has ended; nothing that is documented completes it in the task's own
 * transaction. So the outbox row commits first, and the completion follows: less than what is asked for, and nothing slower.
 *
 * @param variant `direct`: without the local queue, so that no more jobs are taken than are in hand
 */
export const contenderOf = (variant?: string): Contender => ({
  async prepare({ databaseUrl, jobs }) {
    await migrate(databaseUrl, outboxMigrations);
    await runMigrations({ connectionString: databaseUrl, logger });
    await withClient(databaseUrl, (client) =>
      client.query(`SELECT count(graphile_worker.add_job('${TASK}', (${JOB_DATA})::json)) FROM generate_series(1, $1::int) AS n`, [jobs]),
    );
  },
  load: (work) => {
    let runner: Runner | undefined;
    const start = async () => void (runner = await startRunner(work, variant === 'direct' ? {} : { localQueue: { size: 500 } }));
    return Promise.resolve({ start, stop: async () => runner?.stop() });
  },
});

const startRunner = ({ databaseUrl, concurrency }: Work, queue: { localQueue?: { size: number } }): Promise<Runner> =>
  run({
    preset: {
      worker: {
        connectionString: databaseUrl,
        concurrentJobs: concurrency,
        maxPoolSize: 10 + concurrency,
        logger,
        ...queue,
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    taskList: {
      [TASK]: async (payload, { query }) => {
        const job = payload as JobData;
        const { providerId } = await provider.send(job.deliveryId, mailOf(job));
        await query(INSERT_EVENTS, eventsOf([{ ...job, providerId }]));
      },
    },
  });
