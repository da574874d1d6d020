import type { Database } from '@shopflow/database';

/** An operator's decision that a group handles nothing for now. It outlives every member. */
export interface Pause {
  readonly who: string;
  readonly why: string;
  readonly at: Date;
}

/** The group's pause, or null when it may run. */
export async function readPause(database: Database, consumer: string): Promise<Pause | null> {
  const { rows } = await database.query<Pause>('SELECT who, why, at FROM group_pauses WHERE consumer = $1', [consumer]);
  return rows[0] ?? null;
}

/** Who let the group go on last, and why; null when nobody ever did. */
export async function readResume(database: Database, consumer: string): Promise<Pause | null> {
  const { rows } = await database.query<Pause>(
    `SELECT who, why, at FROM group_actions WHERE consumer = $1 AND action = 'resume' ORDER BY seq DESC LIMIT 1`,
    [consumer],
  );
  return rows[0] ?? null;
}
