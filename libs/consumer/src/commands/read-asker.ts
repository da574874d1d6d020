import { userInfo } from 'node:os';
import { UsageError } from '@shopflow/command-line';
import type { Asker } from './operated-group.js';

/** Options of every command that changes something. */
export const ASKER_OPTIONS = { who: 'text', why: 'text' } as const;

/**
 * Who asks: the user of this machine unless told otherwise.
 *
 * @param wanted what a reason should say
 * @throws UsageError when there is none
 */
export function readAsker({ who, why }: { who?: string; why?: string }, now: Date, wanted = 'say what was fixed or decided'): Asker {
  if (why === undefined) throw new UsageError(`--why is missing: ${wanted}; it is kept with the action`);
  return { who: who ?? userInfo().username, why, now };
}
