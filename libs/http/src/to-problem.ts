import { HttpException } from '@nestjs/common';
import { classifyDatabaseError } from '@shopflow/database';
import { Problem } from './problem.js';

/**
 * What the caller is told about an error. Total: everything that is not meant for the caller is a 500 without internals.
 * A database that is away or busy is a 503: the same request can succeed in a moment.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HttpException) return new Problem({ status: error.getStatus(), detail: error.message });
  if (classifyDatabaseError(error) === 'other') {
    return new Problem({ status: 500, detail: 'Something went wrong here. The log has the cause under this correlation id.' });
  }
  return new Problem({
    status: 503,
    kind: 'database-unavailable',
    title: 'The database cannot take the request now',
    detail: 'Nothing was changed unless a repeat says so; send the same request again.',
    headers: { 'retry-after': '1' },
  });
}
