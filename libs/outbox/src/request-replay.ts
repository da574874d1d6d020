import { REPLAY_LIMIT_DAYS } from '@shopflow/contracts';
import type { Database } from '@shopflow/database';

export interface ReplayRequest {
  readonly eventId: string;
  /** Who asks, as people know them. */
  readonly who: string;
  readonly why: string;
}

export class ReplayRefusedError extends Error {
  constructor(
    readonly eventId: string,
    reason: string,
  ) {
    super(`event ${eventId} is not published again: ${reason}`);
    this.name = 'ReplayRefusedError';
  }
}

/**
 * Asks the relay to publish one event again, with the same id and bytes. It reaches every group; each that took charge of
 * the event before answers duplicate.
 *
 * @throws ReplayRefusedError when the event is not in the outbox, or older than `REPLAY_LIMIT_DAYS`
 */
export async function requestReplay(database: Database, { eventId, who, why }: ReplayRequest): Promise<void> {
  const { count } = await database.query(
    `INSERT INTO outbox_replays (event_id, who, why)
     SELECT id, $2, $3 FROM outbox WHERE id = $1 AND created_at > now() - make_interval(days => $4)`,
    [eventId, who, why, REPLAY_LIMIT_DAYS],
  );
  if (count === 0) throw await refusal(database, eventId);
}

async function refusal(database: Database, eventId: string): Promise<ReplayRefusedError> {
  const { rows } = await database.query<{ created_at: Date }>('SELECT created_at FROM outbox WHERE id = $1', [eventId]);
  if (rows[0] === undefined)
    return new ReplayRefusedError(eventId, 'the outbox does not have it; look for it in another service or spell it right');
  const since = rows[0].created_at.toISOString();
  return new ReplayRefusedError(
    eventId,
    `it is from ${since}; events of more than ${REPLAY_LIMIT_DAYS} days ago may be forgotten by their consumers before this copy is`,
  );
}
