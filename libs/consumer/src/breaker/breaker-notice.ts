import type { BreakerStatus } from './breaker-status.js';

/** A line for the log: what has changed, and what to do. */
export interface BreakerNotice extends BreakerStatus {
  readonly level: 'error' | 'info';
  readonly text: string;
}

export const openedNotice = (status: BreakerStatus): BreakerNotice => ({
  ...status,
  level: 'error',
  text:
    `${status.inARow} events in a row failed alike, so ${status.handler} pauses and tries one event from time to time: ${status.cause}; ` +
    'no event is charged meanwhile: mend what they have in common, and it goes on by itself',
});

/** @param now when it closed */
export const closedNotice = (status: BreakerStatus, now: Date): BreakerNotice => ({
  ...status,
  level: 'info',
  open: false,
  text: `${status.handler} goes on after ${Math.round((now.getTime() - status.since.getTime()) / 1_000)} s: what all events had in common is over`,
});
