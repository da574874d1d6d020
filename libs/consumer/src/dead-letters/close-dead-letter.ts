import { sql, type Transaction } from '@shopflow/database';
import type { DeadLetterKey } from './dead-letter.js';

/** Who decided what about a letter, and why; kept for ever. */
export interface DeadLetterDecision {
  readonly action: 'replay' | 'discard';
  readonly who: string;
  readonly why: string;
}

const STATE = { replay: 'replayed', discard: 'discarded' } as const;

/**
 * Closes an open letter and writes down the decision.
 *
 * @returns false when it was not open, or is not there: then nothing is changed, so a second click does nothing
 */
export async function closeDeadLetter(
  tx: Transaction,
  { consumer, source, eventId, subject = '' }: DeadLetterKey,
  { action, who, why }: DeadLetterDecision,
): Promise<boolean> {
  const { count } = await sql(
    tx,
    `WITH closed AS (
       UPDATE dead_letters SET state = $5
       WHERE consumer = $1 AND source = $2 AND event_id = $3 AND subject = $4 AND state = 'open'
       RETURNING consumer, source, event_id, subject)
     INSERT INTO dead_letter_actions (consumer, source, event_id, subject, action, who, why)
     SELECT consumer, source, event_id, subject, $6, $7, $8 FROM closed`,
    [consumer, source, eventId, subject, STATE[action], action, who, why],
  );
  return count === 1;
}
