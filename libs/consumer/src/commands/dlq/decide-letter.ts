import { classifyDatabaseError } from '@shopflow/database';
import { closeDeadLetter } from '../../dead-letters/close-dead-letter.js';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import { listDeadLetters } from '../../dead-letters/list-dead-letters.js';
import { discardDeadLetter, replayDeadLetter } from '../../held/replay-dead-letter.js';
import type { WakeUp } from '../../retry/wake-up.js';
import type { Asker, OperatingContext } from '../operated-group.js';

export interface Decision extends Asker {
  readonly action: 'replay' | 'discard';
  /** What is handled in place of the payload. */
  readonly value?: Buffer;
}

/** What became of one letter. `refused` alone is a failure: a decision that was made before is no second one. */
export interface DecisionResult {
  readonly result: 'replayed' | 'discarded' | 'already replayed' | 'already discarded' | 'refused';
  /** Why it was refused. */
  readonly reason?: string;
  readonly wakeUp?: WakeUp;
}

/** Replays or discards one letter. @throws when the database is away; what else stands against it is its result */
export async function decideLetter(context: OperatingContext, letter: DeadLetter, decision: Decision): Promise<DecisionResult> {
  try {
    const { done, wakeUp } = await decide(context, letter, decision);
    if (done) return { result: decision.action === 'replay' ? 'replayed' : 'discarded', ...(wakeUp && { wakeUp }) };
    return await whyNot(context, letter);
  } catch (error) {
    if (classifyDatabaseError(error) === 'outage') throw error;
    return { result: 'refused', reason: (error as Error).message };
  }
}

async function decide(context: OperatingContext, letter: DeadLetter, decision: Decision): Promise<{ done: boolean; wakeUp?: WakeUp }> {
  const { database, service } = context;
  if (letter.subject === '') {
    if (decision.action === 'discard')
      return discardDeadLetter(database, letter, decision).then(({ discarded, ...rest }) => ({ done: discarded, ...rest }));
    return replayDeadLetter(database, letter, decision).then(({ replayed, ...rest }) => ({ done: replayed, ...rest }));
  }
  const { action, who, why } = decision;
  if (action === 'discard') return { done: await database.inTransaction((tx) => closeDeadLetter(tx, letter, { action, who, why })) };
  // The service could still do the work of a letter that somebody has closed: an operator's command leaves that decision alone.
  if ((await stateOf(context, letter)) !== 'open') return { done: false };
  const subject = service.subjects?.[letter.subject];
  if (subject === undefined) throw new Error(`${service.group} does not say how its ${letter.subject} is done again`);
  if (decision.value !== undefined) throw new Error(`its ${letter.subject} died, not its event: there is no payload to edit`);
  return { done: (await subject.replay(database, letter, decision)) === true };
}

/** Nothing was done: somebody was here before, or the service has nothing to do again. */
async function whyNot(context: OperatingContext, letter: DeadLetter): Promise<DecisionResult> {
  const state = await stateOf(context, letter);
  if (state === 'replayed' || state === 'discarded') return { result: `already ${state}` };
  return { result: 'refused', reason: `its ${letter.subject === '' ? 'event' : letter.subject} is not dead: there is nothing to do again` };
}

/** As it is now: it may have been selected a while ago. */
async function stateOf({ database, service }: OperatingContext, { source, eventId, subject }: DeadLetter) {
  const letters = await listDeadLetters(database, service.group, { eventId, subject });
  return letters.find((letter) => letter.source === source)?.state;
}
