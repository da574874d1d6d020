import { answersProbe } from '../breaker/answers-probe.js';
import type { Breaker } from '../breaker/breaker.js';
import { BreakerOpenError } from '../breaker/breaker-open.js';
import { type EventItem, handlerOf, isReadable, readItem, type UnreadableItem } from '../event-item.js';
import { runOneByOne, type Supervisor } from '../run-items.js';
import type { Surroundings } from '../call-handler.js';
import type { Unit } from '../unit-of-work.js';
import { NotSubscribedError } from './not-subscribed.js';
import type { HeldEvent } from './read-held-events.js';

/** So long at most one transaction goes on to the next event. */
const AT_MOST_MS = 250;

/** What one transaction did with the first events of a key: those handled, and the one that stopped it. */
export interface Turn {
  readonly handled: readonly EventItem[];
  readonly failed?: { readonly event: HeldEvent; readonly error: unknown };
}

/**
 * Runs held events of one key in order, until one fails.
 *
 * @param mine at least one
 * @throws BreakerOpenError when the first must wait for its handler's breaker; outages, contention and hangs
 */
export async function takeTurn(mine: readonly HeldEvent[], unit: Unit, options: Surroundings & { breaker: Breaker }): Promise<Turn> {
  const items = mine.map(readHeld);
  const unreadable = items.findIndex((item) => !isReadable(item));
  const readable = (unreadable < 0 ? items : items.slice(0, unreadable)) as EventItem[];
  const { toRun, probing } = upToOpenBreaker(readable, options.breaker);
  const turn = new Attempts(mine, options.breaker);
  try {
    await runOneByOne(toRun, unit, options, turn);
  } catch (error) {
    if (probing !== undefined && !answersProbe(error)) options.breaker.released(probing);
    throw error;
  }
  if (turn.failure === undefined && turn.done.length === unreadable)
    turn.failure = { event: mine[unreadable]!, error: (items[unreadable] as UnreadableItem).error };
  return { handled: turn.done, ...(turn.failure && { failed: turn.failure }) };
}

/** An event of a type that this code does not know may be known to newer code, or to older: it is left for them. */
function readHeld({ candidate }: HeldEvent): EventItem | UnreadableItem {
  if (candidate.subscriber === undefined && candidate.type !== null) return { ...candidate, error: new NotSubscribedError(candidate.type) };
  return readItem(candidate);
}

/** The one that comes first may be the probe. */
function upToOpenBreaker(items: readonly EventItem[], breaker: Breaker): { toRun: readonly EventItem[]; probing?: string } {
  const open = items.findIndex((item) => breaker.isOpen(handlerOf(item)));
  if (open !== 0) return { toRun: open < 0 ? items : items.slice(0, open) };
  const handler = handlerOf(items[0]!);
  const admitted = breaker.admit(handler);
  if (admitted === 'wait') throw new BreakerOpenError(handler, undefined);
  return { toRun: items.slice(0, 1), ...(admitted === 'probe' && { probing: handler }) };
}

class Attempts implements Supervisor {
  readonly done: EventItem[] = [];
  failure: { event: HeldEvent; error: unknown } | undefined;
  private readonly began = performance.now();

  constructor(
    private readonly mine: readonly HeldEvent[],
    private readonly breaker: Breaker,
  ) {}

  /** The key is locked meanwhile, and whoever reads it waits. */
  mayRun(): boolean {
    return this.done.length === 0 || performance.now() - this.began < AT_MOST_MS;
  }

  handled(items: readonly EventItem[]): void {
    this.done.push(...items);
    this.breaker.succeeded(handlerOf(items[0]!));
  }

  failed(item: EventItem, error: unknown): false {
    this.failure = { event: this.mine.find(({ candidate }) => candidate.record === item.record)!, error };
    return false;
  }
}
