import type { Database } from '@shopflow/database';
import type { Breaker } from './breaker/breaker.js';
import { BreakerOpenError } from './breaker/breaker-open.js';
import type { Surroundings } from './call-handler.js';
import type { Chunk, ChunkResult } from './chunk.js';
import { claimEvents, giveBackClaims } from './claim-events.js';
import { advanceOffset } from './consumed-offsets.js';
import type { DelaysMs } from './retry/tier.js';
import { type Candidate, runsOf, type SortedRecords, sortRecords } from './event-item.js';
import { EventOutcomes } from './event-outcomes.js';
import { heldKeyOf } from './held/held-key.js';
import { lockHeldKeys } from './held/lock-held-keys.js';
import { identityKey } from './identify-event.js';
import { type ChunkPlan, planChunk } from './plan-chunk.js';
import { runOneByOne, runTogether } from './run-items.js';
import type { Subscriptions } from './subscriptions.js';
import { inUnit, type Unit } from './unit-of-work.js';

export interface ChunkOptions extends Surroundings {
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly breaker: Breaker;
  readonly clock: () => Date;
  readonly delaysMs: DelaysMs;
  /** Each event behind a savepoint: slower, and shows which one fails. */
  readonly oneByOne: boolean;
  /** What is known to be wrong with an event although it cannot be seen by running it, by {@link identityKey}. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** See `PartitionStarts`. */
  readonly suspectUntil?: number;
  /** False when the partition's offset is moved by somebody else. */
  readonly moveOffset?: boolean;
}

/**
 * The unit of work: claims the chunk's events, runs the handlers of those that are new and whose keys are not held in offset
 * order, holds or buries what fails or follows, moves the partition's offset, all in one transaction.
 *
 * @throws whatever stands against the transaction as a whole; then nothing has happened
 */
export async function runChunk(chunk: Chunk, options: ChunkOptions): Promise<ChunkResult> {
  const sorted = sortRecords(chunk.records, options.subscriptions);
  return inUnit(options.database, options.timeLimitMs, async (unit) => {
    const fresh = await claimFresh(sorted.candidates, unit, options.group);
    const outcomes = new EventOutcomes(await heldKeysOf(fresh, chunk.topic, unit, options.group), { ...options, now: options.clock() });
    const plan = planChunk(fresh, outcomes, options);
    await runPlanned(plan, outcomes, unit, options);
    await giveBack(fresh.slice(plan.end), unit, options.group);
    const buried = await outcomes.write(unit.tx, chunk.topic);
    const to = fresh[plan.end]?.record.offset ?? chunk.to;
    if (options.moveOffset !== false) await advanceOffset(unit.tx, options.group, chunk, { ...options, from: chunk.from, to });
    return { ...resultOf(sorted, fresh, plan, outcomes), to, buried };
  });
}

/** In offset order; of equal ones within the chunk the first. */
async function claimFresh(candidates: readonly Candidate[], { tx }: Unit, group: string): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const distinct = new Map(candidates.map(({ identity }) => [identityKey(identity), identity]));
  const claimed = await claimEvents(tx, group, [...distinct.values()]);
  return candidates.filter(({ identity }) => claimed.delete(identityKey(identity)));
}

async function heldKeysOf(fresh: readonly Candidate[], topic: string, { tx }: Unit, group: string): Promise<Set<string>> {
  if (fresh.length === 0) return new Set();
  return lockHeldKeys(
    tx,
    group,
    topic,
    fresh.map(({ record, identity }) => heldKeyOf(record, identity)),
  );
}

async function runPlanned({ toRun, probing }: ChunkPlan, outcomes: EventOutcomes, unit: Unit, options: ChunkOptions): Promise<void> {
  try {
    if (options.oneByOne || probing !== undefined) await runOneByOne(toRun, unit, options, outcomes);
    else {
      await runTogether(toRun, unit, options);
      for (const run of runsOf(toRun)) outcomes.handled(run);
    }
  } catch (error) {
    if (probing !== undefined && !(error instanceof BreakerOpenError)) options.breaker.released(probing);
    throw error;
  }
}

async function giveBack(items: readonly Candidate[], { tx }: Unit, group: string): Promise<void> {
  if (items.length === 0) return;
  await giveBackClaims(
    tx,
    group,
    items.map(({ identity }) => identity),
  );
}

function resultOf(
  { candidates, skipped }: SortedRecords,
  fresh: readonly Candidate[],
  { end, waitsFor }: ChunkPlan,
  outcomes: EventOutcomes,
): Omit<ChunkResult, 'to' | 'buried'> {
  const cut = fresh[end];
  const reached = cut === undefined ? candidates.length : candidates.indexOf(cut);
  return {
    handled: outcomes.ran.map(({ event }) => event),
    held: outcomes.heldNotices,
    followers: outcomes.followers,
    wakeUps: outcomes.wakeUps,
    duplicates: reached - Math.min(end, fresh.length),
    skipped: skipped.filter(({ offset }) => cut === undefined || offset < cut.record.offset).map(({ type }) => type),
    ...(waitsFor !== undefined && { waitsFor }),
  };
}
