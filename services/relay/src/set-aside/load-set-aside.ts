import type { Pool } from 'pg';
import { asideKey } from './aside-key.js';

export interface SetAside {
  /** Keys with waiting entries, as {@link asideKey}: what comes for them queues up behind. */
  readonly keys: Set<string>;
  /** Ids of discarded events that the stream may bring once more: all that the outbox still has. */
  readonly discarded: Set<string>;
}

/** What a relay has to know before its stream starts. A decision made meanwhile is in the stream. */
export async function loadSetAside(pool: Pool): Promise<SetAside> {
  const waiting = await pool.query<{ topic: string; key: string }>(
    `SELECT DISTINCT topic, key FROM outbox_set_aside WHERE state = 'waiting'`,
  );
  const discarded = await pool.query<{ event_id: string }>(
    `SELECT DISTINCT event_id FROM outbox_set_aside a WHERE state = 'discarded' AND EXISTS (SELECT FROM outbox o WHERE o.id = a.event_id)`,
  );
  return {
    keys: new Set(waiting.rows.map(({ topic, key }) => asideKey(topic, key))),
    discarded: new Set(discarded.rows.map(({ event_id }) => event_id)),
  };
}
