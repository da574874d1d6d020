import type { Pool } from 'pg';
import type { Progress } from '../source/progress.js';
import { unhurried } from './unhurried.js';

/** The tables whose rows the relay publishes; each has a view that says which of them are. */
export type PublishedTable = 'outbox' | 'outbox_replays';

export interface Page {
  /** Rows behind this `seq`, from the first on. */
  readonly after: string;
  readonly rows: number;
  /** What was written before is deleted. */
  readonly before: Date;
}

export interface DeletedPage {
  readonly deleted: number;
  /** The last old row, behind which the next page begins; undefined when nothing on this one is old: all behind it is younger. */
  readonly next: string | undefined;
}

/**
 * Deletes one page of what is published, or given up, and old. Rows that wait stay, set aside ones too, and everything stays when
 * the progress is not this relay's: it would not know what is published.
 */
export async function deletePublished(pool: Pool, table: PublishedTable, progress: Progress, page: Page): Promise<DeletedPage> {
  const { after, rows, before } = page;
  const values = [after, rows, before, progress.slot, progress.systemIdentifier];
  const [found] = await unhurried<{ deleted: number; last: string | null }>(pool, deleteFrom(table), values);
  return { deleted: found?.deleted ?? 0, next: found?.last ?? undefined };
}

// By arrays of seq, so that each part is a walk along the primary key whatever the planner believes of the table.
const deleteFrom = (table: PublishedTable): string => `
  WITH page AS MATERIALIZED (SELECT seq, created_at < $3 AS old FROM ${table} WHERE seq > $1 ORDER BY seq LIMIT $2),
  done AS MATERIALIZED (
    SELECT seq FROM ${table}_state
    WHERE seq = ANY (ARRAY(SELECT seq FROM page WHERE old)) AND state IN ('published', 'discarded')
      AND EXISTS (SELECT FROM relay_progress WHERE slot = $4 AND system_identifier = $5)
  ),
  deleted AS (DELETE FROM ${table} WHERE seq = ANY (ARRAY(SELECT seq FROM done)) RETURNING seq)
  SELECT (SELECT count(*) FROM deleted)::int AS deleted, (SELECT max(seq) FROM page WHERE old) AS last`;
