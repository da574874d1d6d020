import { UsageError } from '@shopflow/command-line';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import type { DeadLetterFilter } from '../../dead-letters/letter-filter.js';
import { eachDeadLetter, listDeadLetters } from '../../dead-letters/list-dead-letters.js';
import type { OperatingContext } from '../operated-group.js';

/** Letters that somebody means: some event ids, or what is open and fits a filter. */
export interface Selection {
  readonly eventIds: readonly string[];
  readonly filter: DeadLetterFilter;
  readonly limit: number | undefined;
}

/** An event id of which the group has no letter. */
export interface UnknownLetter {
  readonly eventId: string;
  readonly unknown: true;
}

/** Said when a filter finds nothing. */
export const NOTHING_FITS = 'no open dead letter fits';

/** @throws UsageError when nothing is chosen: everything at once is nobody's intention */
export function checkSelection({ eventIds, filter }: Selection): void {
  const filtered = Object.keys(filter).length > 0;
  if (!filtered && eventIds.length === 0) {
    throw new UsageError('which letters? Name event ids, or a filter such as --cause, --type, --key, --since');
  }
  if (filtered && eventIds.length > 0) throw new UsageError('event ids or a filter, not both');
}

/** In the order of the ids, or the oldest letter first. Letters of an id are given whatever state they are in. */
export async function* selectLetters(
  { database, service }: OperatingContext,
  { eventIds, filter, limit = Infinity }: Selection,
): AsyncGenerator<DeadLetter | UnknownLetter> {
  if (eventIds.length === 0) return yield* eachDeadLetter(database, service.group, { ...filter, state: 'open', limit });
  for (const eventId of eventIds.slice(0, limit)) {
    const letters = await listDeadLetters(database, service.group, { eventId });
    if (letters.length === 0) yield { eventId, unknown: true };
    yield* letters;
  }
}
