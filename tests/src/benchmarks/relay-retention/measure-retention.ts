import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@shopflow/servers';
import type { Bench, Place } from '../relay/bench.js';
import { relay, startRelay } from '../relay/contenders/relay.js';
import { latencyEvents, measureLatency } from '../relay/latency.js';
import type { Latency } from '../relay/measurement.js';
import { withOutbox } from '../relay/outbox-database.js';
import { withTopic } from '../relay/topic.js';
import { countOld, fillOld } from './old-events.js';

export interface RetentionResult {
  readonly rows: number;
  /** Without deletions, with them, and again without: what changes between the outer two is not theirs. */
  readonly before: Latency | undefined;
  readonly during: Latency | undefined;
  readonly after: Latency | undefined;
  /** Rows that were deleted while the latency was measured, and for how many seconds that was. */
  readonly deleted: number;
  readonly seconds: number;
  readonly committed: number;
  readonly published: number;
}

const KEEP_ALL = { OUTBOX_RETENTION_DAYS: '36500' };
const DELETE_OLD = { OUTBOX_RETENTION_DAYS: '35' };

export const measureRetention = (bench: Bench): Promise<RetentionResult> =>
  withOutbox(bench, (place) =>
    withTopic(place, async (topic) => {
      await relay.prepare(place);
      await fillOld(place, place.rows);
      const each = latencyEvents(place.latencySeconds);
      const phase = (title: string, settings: Readonly<Record<string, string>>, number: number) =>
        measurePhase(place, topic.name, { title, settings, first: number * each });
      const before = await phase('without deletions', KEEP_ALL, 0);
      const during = await phase('with deletions', DELETE_OLD, 1);
      const after = await phase('without them again', KEEP_ALL, 2);
      const latencies = { before: before.latency, during: during.latency, after: after.latency };
      const { deleted, seconds } = during;
      return { rows: place.rows, ...latencies, deleted, seconds, committed: 3 * each, published: await topic.records() };
    }),
  );

interface Phase {
  readonly title: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Number of the phase's first event. */
  readonly first: number;
}

async function measurePhase(place: Place, topic: string, { title, settings, first }: Phase) {
  place.say(`measuring ${title}`);
  const process = await startRelay(place, settings);
  try {
    await untilCaughtUp(place);
    await withClient(place.databaseUrl, (client) => client.query('CHECKPOINT'));
    const [oldBefore, began] = [await countOld(place), performance.now()];
    const latency = await measureLatency(place, topic, first);
    const seconds = (performance.now() - began) / 1_000;
    const deleted = oldBefore - (await countOld(place));
    place.say(`  p50 ${latency?.p50Ms.toFixed(1)} ms, p99 ${latency?.p99Ms.toFixed(1)} ms, ${deleted} rows deleted`);
    return { latency, deleted, seconds };
  } finally {
    await process.stop();
  }
}

const POLL_MS = 200;
const CAUGHT_UP = `
  SELECT coalesce(bool_or(active AND pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn) < 1000000), false) AS done
  FROM pg_replication_slots WHERE database = current_database()`;

/** A relay that starts reads past all that was written while the outbox was filled: what is committed meanwhile waits for that. */
async function untilCaughtUp({ databaseUrl, signal }: Place): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while (!(await client.query<{ done: boolean }>(CAUGHT_UP)).rows[0]!.done) await delay(POLL_MS, undefined, { signal });
  });
}
