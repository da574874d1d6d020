import type { Database } from '@shopflow/database';
import type { DeadLetterKey } from './dead-letter.js';

/** What somebody did to a letter. */
export interface DeadLetterAction {
  readonly action: 'replay' | 'discard' | 'edit';
  readonly who: string;
  readonly why: string;
  readonly at: Date;
  /** Of an edit: what was handled in place of the letter's own value. */
  readonly editedValue: Buffer | null;
}

/** What was done to a letter, the oldest first. */
export async function readActions(
  database: Database,
  { consumer, source, eventId, subject = '' }: DeadLetterKey,
): Promise<DeadLetterAction[]> {
  const { rows } = await database.query<DeadLetterAction>(
    `SELECT action, who, why, at, edited_value AS "editedValue" FROM dead_letter_actions
     WHERE consumer = $1 AND source = $2 AND event_id = $3 AND subject = $4 ORDER BY seq`,
    [consumer, source, eventId, subject],
  );
  return rows;
}
