import { type Database, sql, type Transaction } from '@shopflow/database';
import { closeDeadLetter } from '../dead-letters/close-dead-letter.js';
import type { DeadLetter, DeadLetterKey } from '../dead-letters/dead-letter.js';
import { listDeadLetters } from '../dead-letters/list-dead-letters.js';
import type { WakeUp } from '../retry/wake-up.js';
import { type HeldKey, heldKeyOf } from './held-key.js';
import { holdEvents } from './hold-events.js';
import { holdKeys, lockHeldKey } from './lock-held-keys.js';
import { readHead } from './read-head.js';
import { settleKey } from './settle-key.js';

/** What somebody decided about a dead letter. */
export interface ReplayDecision {
  readonly who: string;
  readonly why: string;
  readonly now: Date;
  /** What is handled in place of the letter's own value, which is kept. */
  readonly value?: Buffer;
}

/** The letter is of a part of an event's work; only the service that does this work can do it again. */
export class ForeignLetterError extends Error {
  constructor({ eventId, subject }: DeadLetterKey) {
    super(`the dead letter of ${eventId} is about its ${subject}: only the service that does this work can replay or discard it`);
    this.name = 'ForeignLetterError';
  }
}

/**
 * Puts the event of an open letter back on its group's own path, from the first step: at the head of its key when it blocks
 * it, behind everything that waits there otherwise.
 *
 * @returns `replayed` false when the letter is not open, or not there: a second click does nothing
 * @throws ForeignLetterError
 */
export async function replayDeadLetter(
  database: Database,
  letterKey: DeadLetterKey,
  decision: ReplayDecision,
): Promise<{ replayed: boolean; wakeUp?: WakeUp }> {
  const { done, wakeUp } = await decide(database, letterKey, async (tx, letter, key) => {
    if (!(await closeDeadLetter(tx, letterKey, { action: 'replay', ...decision }))) return false;
    if (decision.value !== undefined) await noteEdit(tx, letterKey, decision, decision.value);
    if (!(await awaken(tx, letterKey, decision))) await holdAgain(tx, letter, key, decision);
    return true;
  });
  return { replayed: done, ...(wakeUp && { wakeUp }) };
}

/**
 * Gives the event of an open letter up for good; what it blocks goes on.
 *
 * @returns `discarded` false when the letter is not open, or not there
 * @throws ForeignLetterError
 */
export async function discardDeadLetter(
  database: Database,
  letterKey: DeadLetterKey,
  decision: Omit<ReplayDecision, 'value'>,
): Promise<{ discarded: boolean; wakeUp?: WakeUp }> {
  const { done, wakeUp } = await decide(database, letterKey, async (tx) => {
    if (!(await closeDeadLetter(tx, letterKey, { action: 'discard', ...decision }))) return false;
    await sql(tx, `DELETE FROM held_events WHERE ${THE_DEAD_ONE}`, [letterKey.consumer, letterKey.source, letterKey.eventId]);
    return true;
  });
  return { discarded: done, ...(wakeUp && { wakeUp }) };
}

const THE_DEAD_ONE = `consumer = $1 AND source = $2 AND event_id = $3 AND state = 'dead'`;

type Work = (tx: Transaction, letter: DeadLetter, key: HeldKey) => Promise<boolean>;

/** Locks the letter's key first, as everyone does, and leaves it settled. */
async function decide(database: Database, letterKey: DeadLetterKey, work: Work): Promise<{ done: boolean; wakeUp?: WakeUp | undefined }> {
  const { consumer, source, eventId, subject = '' } = letterKey;
  if (subject !== '') throw new ForeignLetterError(letterKey);
  const found = await listDeadLetters(database, consumer, { eventId, subject });
  const letter = found.find((candidate) => candidate.source === source);
  if (letter === undefined) return { done: false };
  const key = { topic: letter.record.topic, key: heldKeyOf(letter.record, letter) };
  return database.inTransaction(async (tx) => {
    await holdKeys(tx, consumer, key.topic, [{ ...key, dueAt: letter.lastFailedAt }]);
    const deaths = (await lockHeldKey(tx, consumer, key, { skipLocked: false }))?.deaths ?? 0;
    const done = await work(tx, letter, key);
    await settleKey(tx, consumer, key, deaths);
    return { done, wakeUp: done ? await readHead(tx, consumer, key) : undefined };
  });
}

/** `block`: the dead event waits again in its place. */
async function awaken(tx: Transaction, { consumer, source, eventId }: DeadLetterKey, { now, value }: ReplayDecision): Promise<boolean> {
  const { count } = await sql(
    tx,
    `UPDATE held_events SET state = 'waiting', waits_for = 'its turn', attempts = 0, starts = 0, due_at = $4, value = COALESCE($5, value)
     WHERE ${THE_DEAD_ONE}`,
    [consumer, source, eventId, now, value ?? null],
  );
  return count > 0;
}

/** `release`: its key has gone on. */
async function holdAgain(tx: Transaction, letter: DeadLetter, { topic }: HeldKey, { now, value }: ReplayDecision): Promise<void> {
  const record = { ...letter.record, topic, value: value ?? letter.record.value };
  const identity = { source: letter.source, eventId: letter.eventId };
  const standing = { waitsFor: 'its turn', attempts: 0, dueAt: now, failure: null } as const;
  await holdEvents(tx, letter.consumer, [{ candidate: { record, identity, subscriber: undefined }, standing }]);
}

async function noteEdit(tx: Transaction, letter: DeadLetterKey, { who, why }: ReplayDecision, value: Buffer): Promise<void> {
  await sql(
    tx,
    `INSERT INTO dead_letter_actions (consumer, source, event_id, subject, action, who, why, edited_value)
     VALUES ($1, $2, $3, '', 'edit', $4, $5, $6)`,
    [letter.consumer, letter.source, letter.eventId, who, why, value],
  );
}
