import { classifyFailure } from '../failure.js';
import type { Breaker } from './breaker.js';
import { BreakerOpenError } from './breaker-open.js';

/** One event that failed by itself. */
export interface EventFailure {
  readonly handler: string;
  /** Its `identityKey`. */
  readonly event: string;
  /** See `causeOf`. */
  readonly cause: string;
  readonly error: unknown;
}

/** Tells the breaker of a failure. @throws BreakerOpenError when every event fails like this one: it must not be charged */
export function refuseIfAllFailAlike(breaker: Breaker, { handler, event, cause, error }: EventFailure): void {
  // What never heals is the event's own fault, and no answer to a probe.
  if (classifyFailure(error) !== 'may heal') breaker.released(handler);
  else if (breaker.failed(handler, event, cause)) throw new BreakerOpenError(handler, error);
}
