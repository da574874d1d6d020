import type { DatabaseReport } from './database-report.js';
import { DatabaseWatch } from './database-watch.js';
import type { SourceRelay } from './source-relay.js';

export interface SourceReport {
  readonly source: string;
  readonly slot: string;
  readonly state: string;
  readonly reason: string | null;
  /** Since when it is in this state. */
  readonly since: string;
  /** Events that Kafka accepted from this process, replays included. */
  readonly published: number;
  readonly lastPublishedAt: string | null;
  /** What the database says of its outbox and slot; null while it does not answer. */
  readonly database: DatabaseReport | null;
}

/** People look again and again while they wait for a change. */
const MAX_AGE_MS = 200;

export async function reportSource(
  name: string,
  { slot, status, pool }: Pick<SourceRelay, 'slot' | 'status' | 'pool'>,
  watch = new DatabaseWatch(pool, slot),
): Promise<SourceReport> {
  const database = await watch.read(MAX_AGE_MS);
  return {
    source: name,
    slot,
    state: status.state,
    reason: status.reason ?? null,
    since: status.since.toISOString(),
    published: status.published,
    lastPublishedAt: status.lastPublishedAt?.toISOString() ?? null,
    database,
  };
}
