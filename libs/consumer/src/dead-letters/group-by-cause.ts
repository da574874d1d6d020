import type { Database } from '@shopflow/database';
import { type DeadLetterFilter, LETTER_CONDITIONS, letterValues } from './letter-filter.js';

/** Letters that died of the same thing. */
export interface CauseGroup {
  readonly cause: string;
  readonly count: number;
  readonly firstFailedAt: Date;
  readonly lastFailedAt: Date;
  /** The letter that failed last, and its reason in full. */
  readonly exampleEventId: string;
  readonly reason: string;
}

/** What a group's letters died of, the most frequent first. @param limit how many causes at most */
export async function groupByCause(database: Database, consumer: string, filter: DeadLetterFilter, limit = 100): Promise<CauseGroup[]> {
  const { rows } = await database.query<CauseGroup>(
    `SELECT cause, count(*)::int AS count, min(first_failed_at) AS "firstFailedAt", max(last_failed_at) AS "lastFailedAt",
            (array_agg(event_id ORDER BY last_failed_at DESC, seq DESC))[1] AS "exampleEventId",
            (array_agg(reason ORDER BY last_failed_at DESC, seq DESC))[1] AS reason
     FROM dead_letters WHERE ${LETTER_CONDITIONS} GROUP BY cause ORDER BY count(*) DESC, max(last_failed_at) DESC, cause LIMIT $13`,
    [...letterValues(consumer, filter), limit],
  );
  return rows;
}
