import { refuseIfAllFailAlike } from '../breaker/refuse-if-all-fail-alike.js';
import { buryEvent } from '../bury-event.js';
import { causeOf } from '../cause-of.js';
import type { WorkResult } from '../chunk.js';
import { decideFailure } from '../decide-failure.js';
import type { Breaker } from '../breaker/breaker.js';
import { handlerOf, labelOf } from '../event-item.js';
import { identityKey } from '../identify-event.js';
import type { DelaysMs } from '../retry/tier.js';
import type { Unit } from '../unit-of-work.js';
import type { HeldKey } from './held-key.js';
import type { HeldEvent } from './read-held-events.js';
import { settleKey } from './settle-key.js';
import type { Turn } from './turn.js';
import { deleteHeldEvents, restandHeldEvent, uncountStarts } from './write-held-events.js';

export interface WriteOptions {
  readonly group: string;
  readonly breaker: Breaker;
  readonly clock: () => Date;
  readonly delaysMs: DelaysMs;
  readonly blockAfterDeaths: number;
}

/** The events of the key, and how many of its heads had died in a row before. */
export interface LockedKey extends HeldKey {
  readonly deaths: number;
  readonly mine: readonly HeldEvent[];
}

/** Writes down how a turn ended, in its transaction. @throws BreakerOpenError when everything fails like this: then nothing is to be kept */
export async function writeTurn(
  { handled, failed }: Turn,
  locked: LockedKey,
  { tx }: Pick<Unit, 'tx'>,
  options: WriteOptions,
): Promise<WorkResult> {
  const seqs = locked.mine.map(({ seq }) => seq);
  const held = { consumer: options.group, topic: locked.topic, key: locked.key };
  await deleteHeldEvents(tx, { ...held, seqs: seqs.slice(0, handled.length) });
  await uncountStarts(tx, { ...held, seqs: seqs.slice(handled.length + (failed ? 1 : 0)) });
  const before = handled.length > 0 ? 0 : locked.deaths;
  const end = failed ? await writeFailure(failed, { ...locked, deaths: before }, { tx }, options) : NO_FAILURE;
  await settleKey(tx, options.group, locked, before + end.buried.length);
  return { ...end, handled: handled.map(({ event }) => event) };
}

type Failed = Omit<WorkResult, 'handled'>;
const NO_FAILURE: Failed = { buried: [], held: [], wakeUps: [] };

async function writeFailure(
  { event, error }: NonNullable<Turn['failed']>,
  key: LockedKey,
  { tx }: Pick<Unit, 'tx'>,
  options: WriteOptions,
): Promise<Failed> {
  const { candidate, attempts, firstFailedAt } = event;
  const cause = causeOf(error, handlerOf(candidate));
  refuseIfAllFailAlike(options.breaker, { handler: handlerOf(candidate), event: identityKey(candidate.identity), cause, error });
  const held = { consumer: options.group, topic: key.topic, key: key.key };
  const decision = decideFailure(error, { attempts, firstFailedAt }, { ...options, now: options.clock() });
  if (decision.to === 'hold') {
    const { standing } = decision;
    await restandHeldEvent(tx, { ...held, seq: event.seq }, standing);
    const wakeUp = {
      topic: key.topic,
      key: key.key,
      ...standing.failure,
      dueAt: standing.dueAt,
      attempts: standing.attempts,
      record: candidate.record,
    };
    return { buried: [], held: [{ ...labelOf(candidate), standing }], wakeUps: standing.waitsFor === 'retry' ? [wakeUp] : [] };
  }
  const buried = [await buryEvent(tx, options.group, candidate, { ...decision, cause })];
  if (blocks(event, key.deaths + 1, options)) {
    await restandHeldEvent(tx, { ...held, seq: event.seq }, { ...decision, waitsFor: 'a decision', dueAt: decision.failure.lastFailedAt });
  } else await deleteHeldEvents(tx, { ...held, seqs: [event.seq] });
  return { ...NO_FAILURE, buried };
}

/** Where one head after the other dies, each takes a whole cycle of retries: its key waits for somebody instead. */
const blocks = ({ candidate }: HeldEvent, deaths: number, { blockAfterDeaths }: WriteOptions): boolean =>
  candidate.subscriber?.subscription.afterDeath === 'block' || deaths >= blockAfterDeaths;
