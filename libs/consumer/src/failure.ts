import { ContractError } from '@shopflow/contracts';
import { classifyDatabaseError, isDataError, isNetworkError } from '@shopflow/database';

/**
 * Throw it from a handler when trying again can never help: the event becomes a dead letter at once. An error of any other
 * type says the same of itself with a property `permanent: true`, as the outbox's `EventRefusedError` does.
 */
export class PermanentError extends Error {
  readonly permanent = true;
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentError';
  }
}

/** A pause that somebody else asks for is believed up to this: a day. */
const MOST_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface RetryableErrorOptions extends ErrorOptions {
  /** Not before so many milliseconds, for instance what a `Retry-After` asks for; more than a day counts as a day. */
  readonly retryAfterMs?: number;
}

/** Throw it from a handler when a later try may succeed. Any other error is treated the same; this one says that it is meant. */
export class RetryableError extends Error {
  readonly retryAfterMs: number | undefined;

  /** @throws RangeError when `retryAfterMs` is no number of milliseconds from 0 on; its cause is what the error was about */
  constructor(message: string, { retryAfterMs, ...options }: RetryableErrorOptions = {}) {
    if (retryAfterMs !== undefined && !(Number.isFinite(retryAfterMs) && retryAfterMs >= 0)) {
      const fault = `retryAfterMs of RetryableError is ${retryAfterMs}; give milliseconds from 0 on, or leave it out`;
      throw new RangeError(`${fault} (${message})`, options);
    }
    super(message, options);
    this.name = 'RetryableError';
    this.retryAfterMs = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, MOST_RETRY_AFTER_MS);
  }
}

/** For how many milliseconds at least the next try has to wait, where the error says so. */
export const retryAfterOf = (error: unknown): number | undefined => (error instanceof RetryableError ? error.retryAfterMs : undefined);

/** A record that is no event: bytes that are not JSON, a header that is missing or impossible. */
export class UndecodableError extends Error {
  readonly permanent = true;
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UndecodableError';
  }
}

/** Every process that began with this event ended with it. */
export class CrashedError extends Error {
  readonly permanent = true;
  constructor(readonly starts: number) {
    super(`crashed ${starts} workers`);
    this.name = 'CrashedError';
  }
}

/** A handler was over its time limit. Its connection is gone: nothing that it still does counts. */
export class HandlerTimeoutError extends Error {
  constructor(
    /** `AuditConsumer.onOrderCreated` */
    readonly handler: string,
    readonly limitMs: number,
    /** What it had in hand. */
    readonly eventIds: readonly string[],
  ) {
    const what = eventIds.length === 1 ? `event ${eventIds[0]}` : `${eventIds.length} events from ${eventIds[0]} on`;
    super(`${handler} was not done with ${what} after ${limitMs} ms; make it quicker, pass its signal on, or raise its time limit`);
    this.name = 'HandlerTimeoutError';
  }
}

/**
 * | kind | what | what is done |
 * |---|---|---|
 * | `outage` | what every event needs is away: our database is down, full, restarting, or lost in mid-transaction | the same again after a pause, for as long as it takes; nobody is charged |
 * | `contention` | deadlock, serialization failure, a lock that was not to be had in time (55P03) | the same again at once, uncharged |
 * | `hangs` | a handler over its time limit; a transaction that stood still until the server ended it (25P03) | the transaction is lost and runs again; counts as a start that did not end |
 * | `not readable yet` | written by newer code than this | held, uncharged |
 * | `may heal` | whatever a handler throws and nobody knows: an HTTP 429 or 5xx, a refused connection to somebody else, a refused statement, one over its time limit (57014) | held and charged, a few tries |
 * | `never heals` | says `permanent: true`; refused by its contract; values that the database would refuse each time (classes 22 and 54) | a dead letter at once |
 */
export type FailureKind = 'outage' | 'contention' | 'hangs' | 'not readable yet' | 'may heal' | 'never heals';

/** Total: whatever is thrown has exactly one kind. */
export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof ContractError) return error.heals ? 'not readable yet' : 'never heals';
  if (isPermanent(error)) return 'never heals';
  if (error instanceof RetryableError) return 'may heal';
  if (error instanceof HandlerTimeoutError) return 'hangs';
  // Whose connection it was is not said. Our own database's loss shows as ConnectionLostError; that of a handler's own partner
  // concerns its event, which would otherwise block its partition for as long as that partner is away.
  if (isNetworkError(error)) return 'may heal';
  const kind = classifyDatabaseError(error);
  // As a start that did not end: if the handler waits each time, that is bounded; if this process was frozen, it costs nothing.
  if (kind === 'stood still') return 'hangs';
  if (kind !== 'other') return kind;
  return isDataError(error) ? 'never heals' : 'may heal';
}

/** False when the failure is one of the transaction, or of all: then no event in it can be blamed, and none of it has happened. */
export function concernsEvent(error: unknown): boolean {
  const kind = classifyFailure(error);
  return kind !== 'outage' && kind !== 'contention' && kind !== 'hangs';
}

const isPermanent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'permanent' in error && error.permanent === true;

/** What a person reads about a failure. Total, too: Nest and handlers may throw anything. */
export function reasonOf(error: unknown): string {
  try {
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
    return String(error);
  } catch {
    return 'something was thrown that cannot be put in words'; // such as an object without a prototype
  }
}
