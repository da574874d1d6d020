import type { Evidence } from './evidence.js';
import { type DrillEvent, eventOf } from './fate.js';

/**
 * First effects of a key happen in the order in which its events were published. Where dead heads release their key, those that
 * died do not count; where they block it, they do.
 *
 * @returns each effect that came after a later one
 */
export function judgeOrder({ effects, letters }: Pick<Evidence, 'effects' | 'letters'>): string[] {
  const dead = new Set(letters.map(({ eventId }) => eventId));
  const latest = new Map<string, DrillEvent>();
  const seen = new Set<string>();
  const violations: string[] = [];
  for (const { eventId } of effects) {
    const event = eventOf(eventId);
    if (seen.has(eventId) || (dead.has(eventId) && event.kind !== 'block')) continue;
    seen.add(eventId);
    const before = latest.get(event.key);
    if (before !== undefined && before.place > event.place) violations.push(`${eventId} took effect after ${before.id}`);
    else latest.set(event.key, event);
  }
  return violations;
}
