import { causeOf } from '../cause-of.js';
import { HandlerTimeoutError } from '../failure.js';
import type { Breaker } from './breaker.js';

/** Tells the breaker of a call that took too long. @returns true when so many have that no event is to be charged for it */
export function stopsAll(breaker: Breaker, error: unknown): boolean {
  if (!(error instanceof HandlerTimeoutError)) return false;
  const { handler, eventIds } = error;
  return breaker.failed(handler, eventIds.join(), causeOf(error, handler));
}
