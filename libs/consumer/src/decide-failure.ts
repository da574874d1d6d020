import { ContractError } from '@shopflow/contracts';
import type { DeathKind } from './dead-letters/dead-letter.js';
import { classifyFailure, CrashedError, reasonOf, retryAfterOf, UndecodableError } from './failure.js';
import type { Failure, Standing } from './held/held-event.js';
import type { DelaysMs } from './retry/tier.js';

/** A version that is newer than this code is looked at again so often, in milliseconds. */
export const NEWER_CODE_MS = 600_000;

/** What becomes of an event whose try has failed by itself. */
export type Decision =
  | { readonly to: 'hold'; readonly standing: Standing & { readonly failure: Failure } }
  | { readonly to: 'bury'; readonly death: DeathKind; readonly attempts: number; readonly failure: Failure };

/** How the event stood before. */
export interface Before {
  readonly attempts: number;
  readonly firstFailedAt: Date | null;
}

/** Pure and total, for the first try and every later one. @param error one that concerns the event: no outage, no contention */
export function decideFailure(error: unknown, before: Before, { now, delaysMs }: { now: Date; delaysMs: DelaysMs }): Decision {
  const failure = { reason: reasonOf(error), firstFailedAt: before.firstFailedAt ?? now, lastFailedAt: now };
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  switch (classifyFailure(error)) {
    case 'not readable yet':
      return { to: 'hold', standing: { waitsFor: 'newer code', attempts: before.attempts, dueAt: inMs(NEWER_CODE_MS), failure } };
    case 'never heals':
      return { to: 'bury', death: deathKindOf(error), attempts: before.attempts + (error instanceof CrashedError ? 0 : 1), failure };
    default: {
      const attempts = before.attempts + 1;
      const delay = delaysMs[attempts - 1];
      if (delay === undefined) return { to: 'bury', death: 'exhausted', attempts, failure };
      return { to: 'hold', standing: { waitsFor: 'retry', attempts, dueAt: inMs(Math.max(delay, retryAfterOf(error) ?? 0)), failure } };
    }
  }
}

function deathKindOf(error: unknown): DeathKind {
  if (error instanceof UndecodableError) return 'undecodable';
  if (error instanceof CrashedError) return 'crashed';
  return error instanceof ContractError ? 'contract' : 'permanent';
}
