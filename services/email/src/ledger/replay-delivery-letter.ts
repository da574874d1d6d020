import type { Database } from '@shopflow/database';
import type { Asker } from './dead-letter.js';
import { ReviveDelivery } from './revive-delivery.js';

/**
 * Replays the delivery that a dead letter is about, by the function that changes both.
 *
 * @returns false when it is not dead, undefined when there is none
 */
export async function replayDeliveryLetter(
  database: Database,
  { source, eventId }: { source: string; eventId: string },
  { now, ...asker }: Asker & { now: Date },
): Promise<boolean | undefined> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM deliveries WHERE cause_source = $1 AND cause_event_id = $2', [
    source,
    eventId,
  ]);
  return rows[0] && new ReviveDelivery(database).replay(rows[0].id, asker, now);
}
