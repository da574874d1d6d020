import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Random } from '../../consumer/random.js';
import type { DrillEvent } from '../evidence/evidence.js';
import { drawPlan, type Plan } from './plan.js';
import { insertEvents, takePlaces } from './write-step.js';

export interface WriterOptions {
  readonly source: string;
  /** Logical. */
  readonly topic: string;
  readonly databaseUrl: string;
  readonly keys: number;
  readonly random: Random;
  /** Every event that is written is added here, before it is. */
  readonly history: DrillEvent[];
  /** At most, between two transactions, in milliseconds. */
  readonly restMs: number;
}

const AGAIN_MS = 200;
const CONNECT_MS = 3_000;

/** Writes one transaction after the other into one outbox, and notes what became of each. */
export class Writer {
  constructor(private readonly options: WriterOptions) {}

  /** Until the signal; what was begun is ended first. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.writeWhileConnected(signal).catch(() => delay(AGAIN_MS)); // the database is away, and comes back
    }
  }

  private async writeWhileConnected(signal: AbortSignal): Promise<void> {
    const { databaseUrl, random, keys, restMs } = this.options;
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {}); // the query in progress says it too
    try {
      await client.connect();
      while (!signal.aborted) {
        await this.transact(client, drawPlan(random, keys));
        await delay(random.between(0, restMs));
      }
    } finally {
      await client.end().catch(() => {});
    }
  }

  private async transact(client: Client, plan: Plan): Promise<void> {
    const kept: DrillEvent[] = [];
    await client.query('BEGIN');
    for (const step of plan.steps) kept.push(...(await this.write(client, step)));
    await delay(plan.pauseMs);
    if (plan.end === 'rollback') await client.query('ROLLBACK');
    else await commit(client, kept);
  }

  /** @returns the events that a commit would commit */
  private async write(client: Client, step: Plan['steps'][number]): Promise<DrillEvent[]> {
    const { source, topic, history } = this.options;
    if (step.savepoint !== 'none') await client.query('SAVEPOINT step');
    const events = await takePlaces(client, source, step);
    history.push(...events);
    await insertEvents(client, events, step.how, topic);
    await delay(step.pauseMs);
    if (step.savepoint === 'none') return events;
    await client.query(step.savepoint === 'released' ? 'RELEASE SAVEPOINT step' : 'ROLLBACK TO SAVEPOINT step');
    return step.savepoint === 'released' ? events : [];
  }
}

/** Not known from the moment in which it is asked for until the answer. */
async function commit(client: Client, events: readonly DrillEvent[]): Promise<void> {
  for (const event of events) event.fate = 'unknown';
  const { command } = await client.query('COMMIT');
  for (const event of events) event.fate = command === 'COMMIT' ? 'committed' : 'rolled back';
}
