import type { Database } from '@shopflow/database';
import { type EventIdentity, identityKey } from '../../identify-event.js';

/** Which of the events took effect in this group: taken charge of, and neither held nor dead. @returns their {@link identityKey}s */
export async function appliedEvents(database: Database, consumer: string, events: readonly EventIdentity[]): Promise<Set<string>> {
  const { rows } = await database.query<{ source: string; eventId: string }>(
    `SELECT p.source, p.event_id AS "eventId"
     FROM processed_events p JOIN unnest($2::text[], $3::text[]) AS wanted (source, event_id) USING (source, event_id)
     WHERE p.consumer = $1
       AND NOT EXISTS (SELECT FROM held_events h WHERE h.consumer = $1 AND h.source = p.source AND h.event_id = p.event_id)
       AND NOT EXISTS (
         SELECT FROM dead_letters d
         WHERE d.consumer = $1 AND d.source = p.source AND d.event_id = p.event_id AND d.subject = '' AND d.state <> 'replayed')`,
    [consumer, events.map(({ source }) => source), events.map(({ eventId }) => eventId)],
  );
  return new Set(rows.map(identityKey));
}
