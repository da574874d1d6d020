import type { Database } from '@shopflow/database';
import type { Breaker } from '../breaker/breaker.js';
import { BreakerOpenError } from '../breaker/breaker-open.js';
import type { Surroundings } from '../call-handler.js';
import type { WorkResult } from '../chunk.js';
import type { DelaysMs } from '../retry/tier.js';
import { classifyFailure } from '../failure.js';
import type { Limiter } from '../limiter.js';
import type { Subscriptions } from '../subscriptions.js';
import { inUnit, type Unit } from '../unit-of-work.js';
import { chooseTurn, HELD_EVENTS_AT_ONCE } from './choose-turn.js';
import type { HeldKey } from './held-key.js';
import type { HeldStarts } from './held-starts.js';
import { lockHeldKey } from './lock-held-keys.js';
import { type HeldEvent, readHeldEvents } from './read-held-events.js';
import { settleKey } from './settle-key.js';
import { takeTurn } from './turn.js';
import { uncountStarts } from './write-held-events.js';
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
 * transaction takes some, so that whoever adds to the key gets in between.
 *
 * @throws outages and contention: nothing has happened that is not committed, nothing is charged
 */
export async function advance(parts: AdvanceParts, key: HeldKey, options: AdvanceOptions): Promise<void> {
  while (!options.signal.aborted && (await advanceOnce(parts, key, options)));
}

/** @returns true when there may be more to do */
async function advanceOnce(parts: AdvanceParts, key: HeldKey, options: AdvanceOptions): Promise<boolean> {
  const { seqs, suspect } = await chooseTurn(parts.database, parts.group, key, parts.clock());
  const once = () => (options.signal.aborted ? Promise.resolve(false) : tryOnce(parts, key, seqs, options));
  return suspect ? parts.limiter.runAlone(once) : parts.limiter.run(once);
}

async function tryOnce(parts: AdvanceParts, key: HeldKey, seqs: readonly number[], options: AdvanceOptions): Promise<boolean> {
  await parts.heldStarts.count(key, seqs);
  try {
    const turn = await inUnit(parts.database, parts.timeLimitMs, (unit) => runTurn(parts, key, seqs, unit, options));
    if (turn === undefined) {
      await parts.heldStarts.giveBack(key, seqs);
      return false;
    }
    parts.onCommitted(key, turn);
    return turn.held.length === 0;
  } catch (error) {
    // An event that hung keeps its start, as one that ended the process does; so do those with it, until each has run alone.
    if (classifyFailure(error) === 'hangs') return true;
    await parts.heldStarts.giveBack(key, seqs);
    if (error instanceof BreakerOpenError || options.signal.aborted) return false;
    throw error;
  }
}

/** @returns undefined when there is nothing to do: the key is not held any more, is left alone, or has changed meanwhile */
async function runTurn(
  parts: AdvanceParts,
  key: HeldKey,
  seqs: readonly number[],
  unit: Unit,
  options: AdvanceOptions,
): Promise<WorkResult | undefined> {
  const lock = await lockHeldKey(unit.tx, parts.group, key, options);
  if (lock === undefined) return undefined;
  const now = parts.clock();
  const held = await readHeldEvents(unit.tx, { consumer: parts.group, ...key }, HELD_EVENTS_AT_ONCE, parts.subscriptions);
  const mine = mayRunNow(held, seqs, now);
  if (mine.length === 0) {
    // Nothing of it is left, or it is due at another time than its row says.
    await settleKey(unit.tx, parts.group, key, lock.deaths);
    return undefined;
  }
  const turn = await takeTurn(mine, unit, { ...parts, signal: options.signal });
  await uncountStarts(unit.tx, { consumer: parts.group, ...key, seqs: notIn(mine, seqs) });
  return writeTurn(turn, { ...key, ...lock, mine }, unit, { ...parts, now });
}

/** The first ones, as far as they are due and their start was counted. */
function mayRunNow(held: readonly HeldEvent[], counted: readonly number[], now: Date): readonly HeldEvent[] {
  const end = held.findIndex(({ seq, dead, dueAt }) => dead || dueAt > now || !counted.includes(seq));
  return end < 0 ? held : held.slice(0, end);
}

const notIn = (mine: readonly HeldEvent[], seqs: readonly number[]): number[] =>
  seqs.filter((counted) => !mine.some(({ seq }) => seq === counted));
