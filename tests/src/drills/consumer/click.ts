import { discardDeadLetter, replayDeadLetter } from '@shopflow/consumer';
import type { Database } from '@shopflow/database';
import { GROUP } from './settings.js';

export interface Letter {
  readonly source: string;
  readonly eventId: string;
}

/** What an operator asks for. */
export interface Click {
  readonly action: 'replay' | 'discard';
  readonly letter: Letter;
}

/** @returns whether this click did it; null when the database did not answer: then it may have, or not */
export async function click(database: Database, { action, letter }: Click): Promise<boolean | null> {
  const key = { consumer: GROUP, ...letter };
  const decision = { who: 'drill', why: 'to see whether it happens once', now: new Date() };
  try {
    if (action === 'replay') return (await replayDeadLetter(database, key, decision)).replayed;
    return (await discardDeadLetter(database, key, decision)).discarded;
  } catch {
    return null; // what became of it shows in dead_letter_actions, which is judged
  }
}
