import type { HeldEvent } from './read-held-events.js';

/** Held events that are tried in one transaction, at most: savepoints beyond some 60 slow the whole server down. */
export const HELD_EVENTS_AT_ONCE = 50;

/**
 * The first events of a key that are due: one alone where a try has failed, or has begun and not ended.
 *
 * @param unfinished tries of an event that began and did not end
 * @returns none when the head is dead or not due, or there is none
 */
export function chooseTurn(held: readonly HeldEvent[], now: Date, unfinished: (event: HeldEvent) => number): readonly HeldEvent[] {
  const mustBeAlone = (event: HeldEvent) => event.attempts > 0 || unfinished(event) > 0;
  const end = held.findIndex((event, place) => event.dead || event.dueAt > now || (place > 0 && mustBeAlone(event)));
  const due = end < 0 ? held : held.slice(0, end);
  return due[0] && mustBeAlone(due[0]) ? due.slice(0, 1) : due;
}
