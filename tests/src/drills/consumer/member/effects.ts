import { sql } from '@shopflow/database';
import type { Transaction } from '@shopflow/database';

/** Where an event stands before a try, in the eyes of its group. */
export interface Standing {
  /** Tries that were charged. */
  readonly attempts: number;
  /** How often somebody replayed it. */
  readonly replays: number;
}

const OF_EVENT = `consumer = $1 AND source = 'orders' AND event_id = $2`;

export async function readStanding(tx: Transaction, group: string, eventId: string): Promise<Standing> {
  const { rows } = await sql<Standing>(
    tx,
    `SELECT COALESCE((SELECT attempts FROM held_events WHERE ${OF_EVENT}), 0) AS attempts,
            (SELECT count(*)::int FROM dead_letter_actions WHERE ${OF_EVENT} AND action = 'replay') AS replays`,
    [group, eventId],
  );
  return rows[0]!;
}

/** Shows that the event took effect, and how it stood then. */
export async function writeEffect(tx: Transaction, group: string, eventId: string, member: string): Promise<void> {
  await sql(
    tx,
    `INSERT INTO effects (event_id, member, attempts, early)
     SELECT $2, $3, COALESCE(max(attempts), 0), COALESCE(bool_or(due_at > $4), false) FROM held_events WHERE ${OF_EVENT}`,
    [group, eventId, member, new Date()],
  );
}
