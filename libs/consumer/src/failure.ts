import { ContractError } from '@shopflow/contracts';
import { classifyDatabaseError, isDataError } from '@shopflow/database';

/** Throw it from a handler when trying again can never help: the event becomes a dead letter at once. */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentError';
  }
}

/** Throw it from a handler when a later try may succeed. Any other error is treated the same; this one says that it is meant. */
export class RetryableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryableError';
  }
}

/** A record that is no event: bytes that are not JSON, a header that is missing or impossible. */
export class UndecodableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UndecodableError';
  }
}

/**
 * - `outage`: what every event needs is away. The same again after a pause, for as long as it takes; no event is charged
 * - `contention`: another transaction was in the way. The same again at once, uncharged
 * - `not readable yet`: written by newer code than this
 * - `may heal`: thrown by a handler, and unknown
 * - `never heals`: a dead letter at once; also what the database refuses for what is in it, and would refuse each time
 */
export type FailureKind = 'outage' | 'contention' | 'not readable yet' | 'may heal' | 'never heals';

/** Total: whatever is thrown has exactly one kind. */
export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof PermanentError || error instanceof UndecodableError) return 'never heals';
  if (error instanceof ContractError) return error.heals ? 'not readable yet' : 'never heals';
  if (error instanceof RetryableError) return 'may heal';
  const kind = classifyDatabaseError(error);
  if (kind !== 'other') return kind;
  return isDataError(error) ? 'never heals' : 'may heal';
}

/** What a person reads about a failure. Total, too: Nest and handlers may throw anything. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
