import type { Database } from '@shopflow/database';
import type { Breaker } from '../breaker/breaker.js';
import { BreakerOpenError } from '../breaker/breaker-open.js';
import type { Surroundings } from '../call-handler.js';
import type { WorkResult } from '../chunk.js';
import type { DelaysMs } from '../retry/tier.js';
import { stopsAll } from '../breaker/stops-all.js';
import { classifyFailure, concernsEvent, CrashedError } from '../failure.js';
import type { Limiter } from '../limiter.js';
import { MOST_STARTS } from '../starts/most-starts.js';
import type { Subscriptions } from '../subscriptions.js';
import { inUnit, type Unit } from '../unit-of-work.js';
import { chooseTurn, HELD_EVENTS_AT_ONCE } from './choose-turn.js';
import type { HeldKey } from './held-key.js';
import type { HeldStarts } from './held-starts.js';
import { lockHeldKey } from './lock-held-keys.js';
import { readHead } from './read-head.js';
import { readHeldEvents } from './read-held-events.js';
import { settleKey } from './settle-key.js';
import { takeTurn } from './turn.js';
import { writeTurn } from './write-turn.js';

export interface AdvanceParts extends Omit<Surroundings, 'signal'> {
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly breaker: Breaker;
  readonly heldStarts: HeldStarts;
  /** Each transaction takes a place; what may end the process takes all. */
  readonly limiter: Limiter;
  readonly clock: () => Date;
  readonly delaysMs: DelaysMs;
  /** So many heads of one key that die in a row make the next dead one block it. */
  readonly blockAfterDeaths: number;
  /** Whether an operator has stopped the group. */
  readonly isPaused: () => boolean;
  /** Called after each commit. */
  readonly onCommitted: (key: HeldKey, result: WorkResult) => void;
}

export interface AdvanceOptions {
  /** Leaves a key alone that somebody else is working on. */
  readonly skipLocked: boolean;
  readonly signal: AbortSignal;
}

/**
 * The only code that runs held events: those of one key in order, until its head is not due, is dead, or none is left. Each
 * transaction takes some, so that whoever adds to the key gets in between. A key that takes long is woken again, behind others.
 *
 * @throws outages and contention: nothing has happened that is not committed, nothing is charged
 */
export async function advance(parts: AdvanceParts, key: HeldKey, options: AdvanceOptions): Promise<void> {
  const until = performance.now() + AT_MOST_MS;
  while (!options.signal.aborted && !parts.isPaused()) {
    if (!(await advanceOnce(parts, key, { ...options, suspectToo: false }))) return;
    if (performance.now() > until) return wakeAgain(parts, key);
  }
}

/** So long one key may keep its caller from the next one. */
const AT_MOST_MS = 10_000;

async function wakeAgain(parts: AdvanceParts, key: HeldKey): Promise<void> {
  const head = await parts.database.inTransaction((tx) => readHead(tx, parts.group, key));
  if (head) parts.onCommitted(key, { handled: [], buried: [], held: [], wakeUps: [head] });
}

/** How one transaction goes about it. */
interface Manner extends AdvanceOptions {
  /** Also runs what may end the process; nothing else runs in it then. */
  readonly suspectToo: boolean;
  /** Only the head. */
  readonly alone?: boolean;
  /** What the head's transaction came to before. */
  readonly known?: { readonly error: unknown };
}

/** @returns true when there may be more to do */
async function advanceOnce(parts: AdvanceParts, key: HeldKey, manner: Manner): Promise<boolean> {
  const once = () => (manner.signal.aborted ? Promise.resolve('ends' as const) : tryOnce(parts, key, manner));
  const outcome = await (manner.suspectToo ? parts.limiter.runAlone(once) : parts.limiter.run(once));
  // Whoever has the whole process to itself waits for nobody.
  if (outcome === 'suspect') return advanceOnce(parts, key, { ...manner, suspectToo: true, skipLocked: true });
  return outcome === 'goes on';
}

type Outcome = 'goes on' | 'ends' | 'suspect';

async function tryOnce(parts: AdvanceParts, key: HeldKey, manner: Manner): Promise<Outcome> {
  const counted: number[] = [];
  try {
    const done = await inUnit(parts.database, parts.timeLimitMs, (unit) => runTurn(parts, key, unit, manner, counted));
    parts.heldStarts.ended(counted);
    if (typeof done === 'string') return done;
    parts.onCommitted(key, done);
    return done.held.length === 0 ? 'goes on' : 'ends';
  } catch (error) {
    return failedTurn(parts, key, manner, counted, error);
  }
}

async function failedTurn(parts: AdvanceParts, key: HeldKey, manner: Manner, counted: readonly number[], error: unknown): Promise<Outcome> {
  // An event that hung keeps its start, as one that ended the process does; so do those with it, until each has run alone.
  if (classifyFailure(error) === 'hangs' && !stopsAll(parts.breaker, error)) {
    parts.heldStarts.ended(counted);
    return 'goes on';
  }
  await parts.heldStarts.giveBack(key, counted);
  if (error instanceof BreakerOpenError || manner.signal.aborted || classifyFailure(error) === 'hangs') return 'ends';
  if (!concernsEvent(error) || manner.known) throw error;
  // Its savepoint did not show it: the head's transaction failed as a whole.
  const next = manner.alone ? { ...manner, known: { error } } : { ...manner, alone: true };
  return tryOnce(parts, key, next);
}

/** @returns what was done, for a commit; a word when nothing was */
async function runTurn(parts: AdvanceParts, key: HeldKey, unit: Unit, manner: Manner, counted: number[]): Promise<WorkResult | Outcome> {
  const { heldStarts, group } = parts;
  const lock = await lockHeldKey(unit.tx, group, key, manner);
  if (lock === undefined) return 'ends';
  const held = await readHeldEvents(unit.tx, { consumer: group, ...key }, HELD_EVENTS_AT_ONCE, parts.subscriptions);
  const due = chooseTurn(held, parts.clock(), (event) => heldStarts.unfinished(event));
  const [head] = due;
  if (head === undefined) {
    // Nothing of it is left, or it is due at another time than its row says.
    await settleKey(unit.tx, group, key, lock.deaths);
    return 'ends';
  }
  const unfinished = heldStarts.unfinished(head);
  if (unfinished > 0 && unfinished < MOST_STARTS && !manner.suspectToo) return 'suspect';
  const mine = manner.alone ? [head] : due;
  const locked = { ...key, ...lock, mine };
  const known = unfinished >= MOST_STARTS ? { error: new CrashedError(MOST_STARTS) } : manner.known;
  if (known) return writeTurn({ handled: [], failed: { event: head, error: known.error } }, locked, unit, parts);
  const seqs = mine.map(({ seq }) => seq);
  await heldStarts.count(key, seqs);
  counted.push(...seqs);
  return writeTurn(await takeTurn(mine, unit, { ...parts, signal: manner.signal }), locked, unit, parts);
}
