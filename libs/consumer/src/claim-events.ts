import { arrayLiteral, clientOf, together, type Transaction } from '@shopflow/database';
import { type Claim, claimInBulk } from './claim-in-bulk.js';
import type { EventIdentity } from './identify-event.js';
import type { Client } from './unit-of-work.js';

const CLAIM = `
  INSERT INTO processed_events (consumer, source, event_id)
  SELECT $1, $2, event_id FROM unnest($3::text[]) AS claimed (event_id)
  ON CONFLICT DO NOTHING
  RETURNING event_id`;

/** From so many events on, {@link claimInBulk} costs less. */
const BULK = 32;

/**
 * Takes charge of the events that this group has not seen; the rest are duplicates. Waits for a transaction that is
 * claiming the same events. Always in one order, first by source: claims in opposite orders deadlock.
 *
 * @param behind sends a statement, at once, that is to be done after the claim, in the same flight; may be asked twice
 */
export async function claimEvents<T>(
  client: Client,
  consumer: string,
  events: readonly EventIdentity[],
  behind: () => Promise<T>,
): Promise<Claim<T>> {
  const bySource = idsBySource(events);
  const sources = [...bySource.keys()].sort();
  const alone = sources.length === 1 ? bySource.get(sources[0]!)! : undefined;
  const inBulk = alone && alone.size >= BULK && (await claimInBulk(client, consumer, sources[0]!, alone, behind));
  if (inBulk) return inBulk;
  const claims = sources.map((source) => claimOf(client, consumer, source, bySource.get(source)!));
  const [fresh, after] = await together([together(claims), behind()]);
  return { fresh: new Set(fresh.flat()), behind: after };
}

async function claimOf(
  client: Client,
  consumer: string,
  source: string,
  events: ReadonlyMap<string, EventIdentity>,
): Promise<EventIdentity[]> {
  const ids = [...events.keys()].sort();
  const { rows } = await client.query<[string]>({
    name: 'consumer-claim',
    text: CLAIM,
    values: [consumer, source, arrayLiteral(ids) ?? ids],
    rowMode: 'array',
  });
  return rows.map(([id]) => events.get(id)!);
}

function idsBySource(events: readonly EventIdentity[]): Map<string, Map<string, EventIdentity>> {
  const bySource = new Map<string, Map<string, EventIdentity>>();
  for (const event of events) {
    let ids = bySource.get(event.source);
    if (ids === undefined) bySource.set(event.source, (ids = new Map()));
    if (!ids.has(event.eventId)) ids.set(event.eventId, event);
  }
  return bySource;
}

/** Gives back what this transaction has claimed and will not do now. */
export async function giveBackClaims(tx: Transaction, consumer: string, events: readonly EventIdentity[]): Promise<void> {
  const client = await clientOf(tx);
  const columns = [events.map(({ source }) => source), events.map(({ eventId }) => eventId)];
  await client.query(
    `DELETE FROM processed_events USING unnest($2::text[], $3::text[]) AS given (source, event_id)
     WHERE consumer = $1 AND processed_events.source = given.source AND processed_events.event_id = given.event_id`,
    [consumer, ...columns.map((column) => arrayLiteral(column) ?? column)],
  );
}
