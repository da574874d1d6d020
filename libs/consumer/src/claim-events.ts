import { arrayLiteral, clientOf, type Transaction } from '@shopflow/database';
import { type EventIdentity, identityKey } from './identify-event.js';

const CLAIM = `
  INSERT INTO processed_events (consumer, source, event_id)
  SELECT $1, source, event_id FROM unnest($2::text[], $3::text[]) AS claimed (source, event_id)
  ON CONFLICT DO NOTHING
  RETURNING source, event_id AS "eventId"`;

/**
 * Takes charge of the events that this group has not seen; the rest are duplicates. Waits for a transaction that is
 * claiming the same events. Always in one order: claims in opposite orders deadlock.
 *
 * @param events without two equal ones
 * @returns the {@link identityKey}s of the events that are new
 */
export async function claimEvents(tx: Transaction, consumer: string, events: readonly EventIdentity[]): Promise<Set<string>> {
  const sorted = sortIdentities(events);
  const client = await clientOf(tx);
  const { rows } = await client.query<{ source: string; eventId: string }>({
    name: 'consumer-claim',
    text: CLAIM,
    values: [consumer, ...columnsOf(sorted)],
  });
  return new Set(rows.map(identityKey));
}

/** Gives back what this transaction has claimed and will not do now. */
export async function giveBackClaims(tx: Transaction, consumer: string, events: readonly EventIdentity[]): Promise<void> {
  const client = await clientOf(tx);
  await client.query(
    `DELETE FROM processed_events USING unnest($2::text[], $3::text[]) AS given (source, event_id)
     WHERE consumer = $1 AND processed_events.source = given.source AND processed_events.event_id = given.event_id`,
    [consumer, ...columnsOf(events)],
  );
}

function columnsOf(events: readonly EventIdentity[]): unknown[] {
  const columns = [events.map(({ source }) => source), events.map(({ eventId }) => eventId)];
  return columns.map((column) => arrayLiteral(column) ?? column);
}

/** As by {@link identityKey}: an older version of this code, which sorts by it, may claim the same events at the same time. */
const sortIdentities = (events: readonly EventIdentity[]): EventIdentity[] =>
  events.toSorted((a, b) => compare(a.source, b.source) || compare(a.eventId, b.eventId));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
