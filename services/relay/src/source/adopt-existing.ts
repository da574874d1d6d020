import type { Client } from 'pg';
import { publishExisting } from '../publishing/publish-existing.js';
import type { OutboxRow } from '../publishing/outbox-row.js';
import type { Lsn } from '../replication/lsn.js';
import { type Attempt, finishAdoption } from './adoption.js';
import { countEvents, readScope, toPublish, toSkip } from './adoption-scope.js';
import { moveProgress, type Progress } from './progress.js';

/** What a new slot's stream does not bring: everything that was committed before it. */
export interface Existing {
  /** In a transaction that sees exactly that. */
  readonly client: Client;
  /** Where the stream begins. */
  readonly lsn: Lsn;
  readonly progress: Progress;
  readonly attempt: Attempt;
}

export interface Adopted {
  readonly published: number;
  /** Consumers have forgotten them. */
  readonly skipped: number;
}

/**
 * Publishes first, in `seq` order, what the adoption asks for; then stores in one transaction that everything up to the new
 * slot is published and that the adoption is finished. Whatever fails before that, the next relay begins the adoption again.
 *
 * @throws AdoptionOvertakenError, or what `publish` throws
 */
export async function adoptExisting(existing: Existing, publish: (rows: readonly OutboxRow[]) => Promise<void>): Promise<Adopted> {
  const { client, lsn, progress, attempt } = existing;
  const scope = await readScope(client, attempt.adoption.since, progress.systemIdentifier);
  const skipped = scope.snapshot === null ? 0 : await countEvents(client, toSkip(scope));
  const published = await publishExisting(client, toPublish(scope), publish);
  const { rows } = await client.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot');
  const { snapshot } = rows[0]!;
  for (const table of TABLES) await countAsPast(client, table, snapshot);
  await moveProgress(client, progress, snapshot, lsn);
  await finishAdoption(client, attempt, { published, skipped });
  await client.query('COMMIT');
  return { published, skipped };
}

const TABLES = ['outbox', 'outbox_replays', 'outbox_set_aside', 'outbox_set_aside_decisions'];

/**
 * Rows of another cluster may have transaction numbers that this one has yet to reach: they would look as if they waited, and
 * later like rows of transactions that run. We see them, so they are past: they get the number of a transaction that ended
 * before every other. In the cluster that wrote them no row is like that, and the index says so at once.
 */
async function countAsPast(client: Client, table: string, snapshot: string): Promise<void> {
  await client.query(
    `UPDATE ${table} SET xid = '3' WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)`,
    [snapshot],
  );
}
