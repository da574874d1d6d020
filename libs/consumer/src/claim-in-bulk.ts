import { arrayLiteral, together } from '@shopflow/database';
import type { EventIdentity } from './identify-event.js';
import type { Client } from './unit-of-work.js';

export interface Claim<T> {
  /** The events that are new; of equal ones the first. */
  readonly fresh: ReadonlySet<EventIdentity>;
  /** What was asked behind the claim. */
  readonly behind: T;
}

/**
 * `ON CONFLICT` inserts each row twice over, as one that may have to be taken back: twice the work for a conflict with somebody
 * who claims at the same moment, which hardly ever comes. So those that are there are left out, the rest is inserted, and a
 * conflict is an error. Answers the duplicates, in one row: they are few.
 */
const CLAIM = `
  WITH had AS MATERIALIZED (
    SELECT event_id FROM processed_events WHERE consumer = $1 AND source = $2 AND event_id = ANY ($3::text[])
  ), claimed AS (
    INSERT INTO processed_events (consumer, source, event_id)
    SELECT $1, $2, event_id FROM unnest($3::text[]) AS given (event_id) WHERE event_id NOT IN (SELECT event_id FROM had)
  )
  SELECT json_agg(event_id)::text FROM had`;

/** The plan is kept: made while the table is empty, it must not scan one that has grown. */
const OPEN = 'SAVEPOINT claim; SET LOCAL enable_seqscan TO off';
const CLOSE = 'RELEASE SAVEPOINT claim; SET LOCAL enable_seqscan TO DEFAULT';
const UNDO = 'ROLLBACK TO SAVEPOINT claim; RELEASE SAVEPOINT claim';

/**
 * Claims many events of one source.
 *
 * @param behind asked in the same flight
 * @returns undefined when somebody has claimed one of them at the same moment; then nothing is claimed
 */
export async function claimInBulk<T>(
  client: Client,
  consumer: string,
  source: string,
  events: ReadonlyMap<string, EventIdentity>,
  behind: () => Promise<T>,
): Promise<Claim<T> | undefined> {
  const ids = [...events.keys()].sort();
  const values = [consumer, source, arrayLiteral(ids) ?? ids];
  const claim = { name: 'consumer-claim-in-bulk', text: CLAIM, values, rowMode: 'array' };
  const flight = [client.query(OPEN), client.query<[string | null]>(claim), client.query(CLOSE), behind()] as const;
  try {
    const [, { rows }, , after] = await together(flight);
    return { fresh: without(events, JSON.parse(rows[0]![0] ?? '[]') as string[]), behind: after };
  } catch (error) {
    if (!isTaken(error)) throw error;
    await client.query(UNDO);
    return undefined;
  }
}

function without(events: ReadonlyMap<string, EventIdentity>, duplicates: readonly string[]): Set<EventIdentity> {
  const fresh = new Set(events.values());
  for (const id of duplicates) fresh.delete(events.get(id)!);
  return fresh;
}

function isTaken(error: unknown): boolean {
  const { code, table } = (error ?? {}) as { code?: unknown; table?: unknown };
  return code === '23505' && table === 'processed_events';
}
