import { readTime, UsageError } from '@shopflow/command-line';
import type { DeadLetterState } from '../dead-letters/dead-letter.js';
import type { DeadLetterFilter } from '../dead-letters/letter-filter.js';

/** Options that say which letters are meant. */
export const FILTER_OPTIONS = {
  reason: 'text',
  cause: 'text',
  type: 'text',
  key: 'text',
  subject: 'text',
  correlation: 'text',
  since: 'text',
  until: 'text',
} as const;

type Given = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string };

/** @throws UsageError for a time that is none */
export function readFilter({ reason, cause, type, key, subject, correlation, since, until }: Given, now: Date): DeadLetterFilter {
  return {
    ...(reason !== undefined && { reason }),
    ...(cause !== undefined && { cause }),
    ...(type !== undefined && { type }),
    ...(key !== undefined && { orderId: key }),
    ...(subject !== undefined && { subject }),
    ...(correlation !== undefined && { correlationId: correlation }),
    ...(since !== undefined && { since: readTime('since', since, now) }),
    ...(until !== undefined && { until: readTime('until', until, now) }),
  };
}

const STATES: readonly DeadLetterState[] = ['open', 'replayed', 'discarded'];

/** `open` unless given; `all` is no condition. @throws UsageError for another word */
export function readState(text = 'open'): { state?: DeadLetterState } {
  if (text === 'all') return {};
  const state = STATES.find((known) => known === text);
  if (state === undefined) throw new UsageError(`--state ${text} is unknown; wanted: ${STATES.join(', ')} or all`);
  return { state };
}
