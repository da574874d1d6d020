import type { Database } from '@shopflow/database';

/**
 * When reminders were first scheduled, which is now if they never were. A clock that was ahead then is put right by a later start.
 */
export async function firstStart(database: Database, now: Date): Promise<Date> {
  const { rows } = await database.query<{ startedAt: Date }>(
    `INSERT INTO schedule_start AS known (started_at) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET started_at = least(known.started_at, excluded.started_at)
     RETURNING started_at AS "startedAt"`,
    [now.toISOString()],
  );
  return rows[0]!.startedAt;
}
