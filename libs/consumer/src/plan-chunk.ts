import type { Breaker } from './breaker/breaker.js';
import { type Candidate, type EventItem, handlerOf, isReadable, readItem } from './event-item.js';
import type { EventOutcomes } from './event-outcomes.js';
import { identityKey } from './identify-event.js';

/** Which of a chunk's fresh events run now. */
export interface ChunkPlan {
  readonly toRun: readonly EventItem[];
  /** Number of fresh events that the chunk ends with; those behind are left for the next. */
  readonly end: number;
  /** The handler for which the only event to run is a probe: it must run behind a savepoint. */
  readonly probing?: string;
  /** The handler whose breaker the event at `end` waits for. */
  readonly waitsFor?: string;
}

export interface PlanOptions {
  readonly breaker: Breaker;
  readonly known?: ReadonlyMap<string, unknown>;
}

/** Reads the events in order. Those that follow a held one, cannot be read, or are known to fail, end in `outcomes` without running. */
export function planChunk(fresh: readonly Candidate[], outcomes: EventOutcomes, { breaker, known }: PlanOptions): ChunkPlan {
  const toRun: EventItem[] = [];
  for (let place = 0; place < fresh.length; place++) {
    const candidate = fresh[place]!;
    if (outcomes.follows(candidate)) continue;
    const item = readItem(candidate);
    const fault = known?.has(identityKey(candidate.identity))
      ? { error: known.get(identityKey(candidate.identity)) }
      : isReadable(item)
        ? undefined
        : item;
    if (fault) outcomes.failed(candidate, fault.error);
    else if (breaker.isOpen(handlerOf(candidate))) return atOpenBreaker(item as EventItem, toRun, place, breaker);
    else toRun.push(item as EventItem);
  }
  return { toRun, end: fresh.length };
}

/** A chunk ends before an event whose handler has an open breaker; the one that begins with it may be the probe. */
function atOpenBreaker(item: EventItem, toRun: readonly EventItem[], place: number, breaker: Breaker): ChunkPlan {
  if (place > 0) return { toRun, end: place };
  const handler = handlerOf(item);
  const admitted = breaker.admit(handler);
  if (admitted === 'wait') return { toRun: [], end: 0, waitsFor: handler };
  return { toRun: [item], end: 1, ...(admitted === 'probe' && { probing: handler }) };
}
