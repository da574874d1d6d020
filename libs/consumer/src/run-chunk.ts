import type { Database } from '@shopflow/database';
import { buryEvent } from './bury-event.js';
import type { Surroundings } from './call-handler.js';
import type { BuriedEvent, Chunk, ChunkResult, FailureHistory, WaitingEvent } from './chunk.js';
import { claimEvents, giveBackClaims } from './claim-events.js';
import { advanceOffset } from './consumed-offsets.js';
import { type Candidate, type EventItem, isReadable, labelOf, readItem, sortRecords, type UnreadableItem } from './event-item.js';
import { classifyFailure } from './failure.js';
import { identityKey } from './identify-event.js';
import { runOneByOne, runTogether } from './run-items.js';
import type { Subscriptions } from './subscriptions.js';
import { inUnit, type Unit } from './unit-of-work.js';

export interface ChunkOptions extends Surroundings {
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly clock: () => Date;
  /** Each event behind a savepoint: slower, and shows which one fails. */
  readonly oneByOne: boolean;
  /** What failed before in this place, by {@link identityKey}. */
  readonly failedBefore: (key: string) => FailureHistory | undefined;
}

/**
 * The unit of work: claims the chunk's events, runs the handlers of those that are new in offset order, moves the
 * partition's offset, all in one transaction.
 *
 * @throws whatever stands against the transaction as a whole; then nothing has happened
 */
export async function runChunk(chunk: Chunk, options: ChunkOptions): Promise<ChunkResult> {
  const { candidates, skipped } = sortRecords(chunk.records, options.subscriptions);
  return inUnit(options.database, async (unit) => {
    const fresh = await claimFresh(candidates, unit, options.group);
    const { stopped, reached } = await handle(fresh.map(readItem), unit, options);
    const buried = await buryFailed(reached, unit, options);
    const to = stopped?.item.record.offset ?? chunk.to;
    await advanceOffset(unit.tx, options.group, chunk, chunk.from, to);
    return {
      to,
      buried,
      handled: reached.filter((outcome) => outcome.error === undefined).map(({ item }) => (item as EventItem).event),
      duplicates: (stopped ? candidates.findIndex(({ record }) => record === stopped.item.record) : candidates.length) - reached.length,
      skipped: skipped.filter(({ offset }) => offset < to).map(({ type }) => type),
      ...(stopped && { waiting: toWaiting(stopped) }),
    };
  });
}

/** In offset order; of equal ones within the chunk the first. */
async function claimFresh(candidates: readonly Candidate[], { tx }: Unit, group: string): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const distinct = new Map(candidates.map(({ identity }) => [identityKey(identity), identity]));
  const claimed = await claimEvents(tx, group, [...distinct.values()]);
  return candidates.filter(({ identity }) => claimed.delete(identityKey(identity)));
}

/** How one event ended; without an error it was handled. */
interface Outcome {
  readonly item: Candidate;
  readonly error?: unknown;
}

/** Runs the handlers up to the first event that has to wait. What lies behind it is given back. */
async function handle(
  items: readonly (EventItem | UnreadableItem)[],
  unit: Unit,
  options: ChunkOptions,
): Promise<{ reached: Outcome[]; stopped: Outcome | undefined }> {
  const errors = new Map<Candidate, unknown>(
    items.filter((item) => !isReadable(item)).map((item) => [item, (item as UnreadableItem).error]),
  );
  const tooNew = items.findIndex((item) => errors.has(item) && mustWait(errors.get(item)));
  const readable = (tooNew < 0 ? items : items.slice(0, tooNew)).filter(isReadable);
  const failed = await runReadable(readable, unit, options, errors);
  const end = failed ? items.indexOf(failed) : tooNew < 0 ? items.length : tooNew;
  await giveBack(items.slice(end), unit, options.group);
  const outcomeOf = (item: Candidate): Outcome => (errors.has(item) ? { item, error: errors.get(item) } : { item });
  return { reached: items.slice(0, end).map(outcomeOf), stopped: items[end] && outcomeOf(items[end]) };
}

const mustWait = (error: unknown): boolean => classifyFailure(error) !== 'never heals';

/** @returns the event at which it had to stop; notes the error of every event that failed */
async function runReadable(
  items: readonly EventItem[],
  unit: Unit,
  options: ChunkOptions,
  errors: Map<Candidate, unknown>,
): Promise<EventItem | undefined> {
  if (!options.oneByOne) {
    await runTogether(items, unit, options);
    return undefined;
  }
  const stopped = await runOneByOne(items, unit, options, ({ item, error }) => {
    errors.set(item, error);
    return !mustWait(error);
  });
  return stopped?.item;
}

async function giveBack(items: readonly Candidate[], { tx }: Unit, group: string): Promise<void> {
  if (items.length === 0) return;
  await giveBackClaims(
    tx,
    group,
    items.map(({ identity }) => identity),
  );
}

async function buryFailed(reached: readonly Outcome[], { tx }: Unit, { group, clock, failedBefore }: ChunkOptions): Promise<BuriedEvent[]> {
  const buried: BuriedEvent[] = [];
  for (const { item, error } of reached) {
    if (error === undefined) continue;
    buried.push(await buryEvent(tx, group, item, { error, before: failedBefore(identityKey(item.identity)), now: clock() }));
  }
  return buried;
}

function toWaiting({ item, error }: Outcome): WaitingEvent {
  return { ...labelOf(item), key: identityKey(item.identity), error };
}
