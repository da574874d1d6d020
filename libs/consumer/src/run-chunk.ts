import type { Database } from '@shopflow/database';
import { answersProbe } from './breaker/answers-probe.js';
import type { Breaker } from './breaker/breaker.js';
import type { Surroundings } from './call-handler.js';
import type { Chunk, ChunkResult } from './chunk.js';
import { claimEvents, giveBackClaims } from './claim-events.js';
import { advanceOffset } from './consumed-offsets.js';
import type { DelaysMs } from './retry/tier.js';
import { type Candidate, runsOf, type SortedRecords, sortRecords } from './event-item.js';
import { EventOutcomes } from './event-outcomes.js';
import { heldKeyOf } from './held/held-key.js';
import { holdsAny, lockHeldKeys } from './held/lock-held-keys.js';
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
    const { fresh, held } = await claimFresh(sorted.candidates, chunk.topic, unit, options.group);
    const outcomes = new EventOutcomes(held, options);
    const plan = planChunk(fresh, outcomes, options);
    await runPlanned(plan, outcomes, unit, options);
    await giveBack(fresh.slice(plan.end), unit, options.group);
    const buried = await outcomes.write(unit.tx, chunk.topic);
    const to = fresh[plan.end]?.record.offset ?? chunk.to;
    if (options.moveOffset !== false) await advanceOffset(unit.tx, options.group, chunk, { ...options, from: chunk.from, to });
    return { ...resultOf(sorted, fresh, plan, outcomes), to, buried };
  });
}

/** What the chunk has to do: in offset order, of equal ones within it the first. */
interface Claimed {
  readonly fresh: readonly Candidate[];
  /** See `lockHeldKeys`. */
  readonly held: ReadonlySet<string>;
}

async function claimFresh(candidates: readonly Candidate[], topic: string, unit: Unit, group: string): Promise<Claimed> {
  if (candidates.length === 0) return { fresh: [], held: new Set() };
  const identities = candidates.map(({ identity }) => identity);
  // Behind the claim: who waited for a claim must see what was held meanwhile.
  const claim = await claimEvents(unit.client, group, identities, () => holdsAny(unit.client, group, topic));
  const allFresh = claim.fresh.size === candidates.length;
  const fresh = allFresh ? candidates : candidates.filter(({ identity }) => claim.fresh.has(identity));
  return { fresh, held: claim.behind ? await heldKeysOf(fresh, topic, unit, group) : new Set() };
}

async function heldKeysOf(fresh: readonly Candidate[], topic: string, { tx }: Unit, group: string): Promise<Set<string>> {
  const keys = fresh.map(({ record, identity }) => heldKeyOf(record, identity));
  return keys.length === 0 ? new Set() : lockHeldKeys(tx, group, topic, keys);
}

async function runPlanned({ toRun, probing }: ChunkPlan, outcomes: EventOutcomes, unit: Unit, options: ChunkOptions): Promise<void> {
  try {
    if (options.oneByOne || probing !== undefined) await runOneByOne(toRun, unit, options, outcomes);
    else {
      await runTogether(toRun, unit, options);
      for (const run of runsOf(toRun)) outcomes.handled(run);
    }
  } catch (error) {
    if (probing !== undefined && !answersProbe(error)) options.breaker.released(probing);
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
