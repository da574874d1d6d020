import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '@shopflow/kafka';
import { Pool } from 'pg';
import type { Place } from './bench.js';
import { numberOf } from './event.js';
import type { Latency } from './measurement.js';
import { followTopic } from './topic.js';

/** Transactions of one row per second, as a shop that is busy makes them. */
const PER_SECOND = 500;
const TICK_MS = 1;
const SESSIONS = 10;
/** After the last commit; what has not come until then is found missing when the topic is read. */
const PATIENCE_MS = 30_000;

export const latencyEvents = (seconds: number): number => seconds * PER_SECOND;

/** Commits events from number `first` on, at a steady rate, and sees when a consumer receives them. */
export async function measureLatency(place: Place, topic: string, first: number): Promise<Latency | undefined> {
  const events = latencyEvents(place.latencySeconds);
  const received = new Map<number, number>();
  const reader = await followTopic(place, topic, { group: 'latency', fromBeginning: false }, (record) => {
    const n = numberOf(record);
    if (n >= first && !received.has(n)) received.set(n, performance.now());
    return received.size >= events;
  });
  try {
    const committed = await commitSteadily(place, first, events);
    await Promise.race([reader.done, delay(PATIENCE_MS, undefined, { signal: place.signal, ref: false })]);
    return latencyOf([...received].map(([n, at]) => at - committed.get(n)!));
  } finally {
    await reader.close();
  }
}

/** @returns when the reply to each commit came, by the event's number */
async function commitSteadily({ databaseUrl, signal }: Place, first: number, events: number): Promise<Map<number, number>> {
  const pool = new Pool({ connectionString: databaseUrl, max: SESSIONS });
  const committed = new Map<number, number>();
  const commit = async (n: number) => {
    await pool.query('SELECT add_event($1)', [n]);
    committed.set(n, performance.now());
  };
  try {
    const commits: Promise<void>[] = [];
    const began = performance.now();
    while (commits.length < events) {
      const due = Math.min(events, Math.floor(((performance.now() - began) * PER_SECOND) / 1_000));
      while (commits.length < due) commits.push(commit(first + commits.length));
      await delay(TICK_MS, undefined, { signal });
    }
    await unlessAborted(Promise.all(commits), signal);
    return committed;
  } finally {
    await pool.end();
  }
}

/** @param milliseconds of each event; a consumer may even have it before the commit's reply has come */
export function latencyOf(milliseconds: readonly number[]): Latency | undefined {
  if (milliseconds.length === 0) return undefined;
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1)! };
}
