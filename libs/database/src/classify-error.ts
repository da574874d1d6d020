import { DatabaseError } from 'pg';
import { ConnectionLostError } from './transaction-errors.js';

/**
 * - `outage`: nothing is wrong with the statement; the server is away, restarting or full. Wait and do the same again.
 * - `contention`: another transaction was in the way. The same again at once.
 * - `stood still`: no statement came in the transaction for so long that the server ended it. Either the process was frozen, and the
 *   same again is well, or the work waits for something else, and would each time: again, but not for ever.
 * - `other`: the statement itself failed.
 */
export type DatabaseErrorKind = 'outage' | 'contention' | 'stood still' | 'other';

/** PostgreSQL: deadlock_detected, serialization_failure, lock_not_available. */
const CONTENTION = new Set(['40P01', '40001', '55P03']);
/** Class 08 connection exceptions, 57P0x shutdowns, 53 out of a resource, 58 errors of the server's own system (its disk, its memory). */
const OUTAGE = /^(08|57P0[1-5]|53|58)/;
/** PostgreSQL: idle_in_transaction_session_timeout. */
const STOOD_STILL = '25P03';
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/** node-postgres says these without a code. */
const LOST_CONNECTION =
  /Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded when trying to connect|Driver not Connected/i;

/** Total: an error that is not from the database is `other`. Looks through TypeORM's QueryFailedError. */
export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other';
  if (error instanceof ConnectionLostError) return codeOf(error.cause) === STOOD_STILL ? 'stood still' : 'outage';
  const { code, driverError, errors } = error as Error & { code?: unknown; driverError?: unknown; errors?: unknown[] };
  if (typeof code === 'string') {
    if (CONTENTION.has(code)) return 'contention';
    if (code === STOOD_STILL) return 'stood still';
    if (OUTAGE.test(code) || NETWORK.has(code)) return 'outage';
  }
  if (LOST_CONNECTION.test(error.message)) return 'outage';
  if (driverError !== undefined && driverError !== error) return classifyDatabaseError(driverError);
  return Array.isArray(errors) && errors.length > 0 ? classifyDatabaseError(errors[0]) : 'other';
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null | undefined)?.code;

/**
 * True for a connection that was refused, reset or not found, by an error that does not say whose: the database's, or that of
 * anything else that the caller talks to. What comes from {@link Database} says it, as ConnectionLostError.
 */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ConnectionLostError || 'driverError' in error) return false;
  const { code, errors } = error as Error & { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return NETWORK.has(code);
  return Array.isArray(errors) && isNetworkError(errors[0]);
}

/** Class 22 data exceptions (no such time, number out of range, NUL), class 54 limits of the server (nested too deep, index row too large). */
const DATA = /^(22|54)/;

/** True when the server refused what a statement was given: the same values are refused every time. Looks through TypeORM's QueryFailedError. */
export function isDataError(error: unknown): boolean {
  if (error instanceof DatabaseError) return DATA.test(error.code ?? '');
  const inner = error instanceof Error ? (error as { driverError?: unknown }).driverError : undefined;
  return inner !== undefined && inner !== error && isDataError(inner);
}
