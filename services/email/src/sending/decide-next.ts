import type { Failed } from './outcome.js';

/** What happens to a delivery after a failed attempt. `wait`: as a retry, but the attempt is not charged. */
export type NextStep = { readonly kind: 'retry' | 'wait'; readonly dueAt: Date } | { readonly kind: 'dead' };

/** How a failing delivery is tried again. */
export interface RetryRules {
  /** Longest wait before the second, third … attempt, in milliseconds; one more attempt than there are waits. */
  readonly delaysMs: readonly number[];
  /** From 0 up to 1. */
  readonly random: () => number;
}

/**
 * Full jitter: any moment within the longest wait, so that what failed together does not come back together.
 *
 * @param attempts calls charged to the delivery so far, this one included
 */
export function decideNext(attempts: number, failure: Failed, rules: RetryRules, now: Date): NextStep {
  const longest = rules.delaysMs[attempts - 1];
  if (failure.permanent || longest === undefined) return { kind: 'dead' };
  const wait = Math.max(Math.round(rules.random() * longest), failure.retryAfterMs ?? 0);
  return { kind: 'retry', dueAt: new Date(now.getTime() + wait) };
}

/** After the fault of a provider that is known to be down: the breaker decides when it is called again, for whichever delivery. */
export const waitForProvider = (failure: Failed, now: Date): NextStep => ({
  kind: 'wait',
  dueAt: new Date(now.getTime() + (failure.retryAfterMs ?? 0)),
});

/** `2000,15000,60000` */
export const readDelays = (text: string): number[] => text.split(',').map(Number);
