import type { Database } from '@shopflow/database';
import type { HeldKey } from '../held/held-key.js';

/** What waits behind a key. */
export interface HeldState {
  /** Events that are held, the dead head included. */
  readonly events: number;
  /** Null when its head is dead and blocks it. */
  readonly dueAt: Date | null;
  readonly blocked: boolean;
}

/** How a key stands, or null when it is not held. */
export async function readHeldState(database: Database, consumer: string, { topic, key }: HeldKey): Promise<HeldState | null> {
  const { rows } = await database.query<HeldState>(
    `SELECT NULLIF(due_at, 'infinity') AS "dueAt", due_at = 'infinity' AS blocked,
            (SELECT count(*)::int FROM held_events e WHERE e.consumer = k.consumer AND e.topic = k.topic AND e.key = k.key) AS events
     FROM held_keys k WHERE consumer = $1 AND topic = $2 AND key = $3`,
    [consumer, topic, key],
  );
  return rows[0] ?? null;
}

/** How much a group holds. */
export async function countHeld(database: Database, consumer: string): Promise<{ keys: number; events: number }> {
  const { rows } = await database.query<{ keys: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM held_keys WHERE consumer = $1) AS keys,
            (SELECT count(*)::int FROM held_events WHERE consumer = $1) AS events`,
    [consumer],
  );
  return rows[0]!;
}
