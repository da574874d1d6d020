import type { Pool } from 'pg';
import { type AdoptionScope, countEvents, readScope, unpublished } from './adoption-scope.js';
import { RefusedSourceError } from './source-errors.js';

/** Counting further would tell nobody more. */
export const COUNT_LIMIT = 1_000_000;

export const REMEDY = `npm run relay -- adopt <source> --who <name> --why '<reason>'`;

/** The error that says what is lost, how much hangs on it and what to do. */
export async function refuse(pool: Pool, lost: string, systemIdentifier: string): Promise<RefusedSourceError> {
  const scope = await readScope(pool, null, systemIdentifier);
  const events = await countEvents(pool, unpublished(scope), COUNT_LIMIT).then(
    (count) => `${atMost(count)} may not be published`,
    () => 'how many events are not published cannot be counted now',
  );
  return new RefusedSourceError(
    `${lost}: going on would skip what was committed meanwhile; ${events}${sinceWhen(scope)}; decide with ${REMEDY}`,
  );
}

const sinceWhen = ({ foreign, from }: AdoptionScope): string =>
  foreign ? `, those since ${from} among them, since another cluster's transactions cannot be compared` : '';

export const atMost = (count: number): string =>
  count > COUNT_LIMIT ? `more than ${COUNT_LIMIT} events` : count === 1 ? '1 event' : `${count} events`;
