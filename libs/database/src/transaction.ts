import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { clientOf } from './sql.js';
import { ConnectionLostError, TransactionAbortedError, TransactionEndedError } from './transaction-errors.js';

declare const openTransaction: unique symbol;

/** TypeORM's EntityManager on a connection with an open transaction. Only {@link inTransaction} makes one. */
export type Transaction = EntityManager & { readonly [openTransaction]: true };

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. An error of `work` rolls back and comes out unchanged, unless
 * the connection is gone: after that TypeORM throws errors of its own for whatever is asked next, and nobody is to blame.
 *
 * @throws TransactionAbortedError, TransactionEndedError, ConnectionLostError (then it is not known whether COMMIT came through),
 *   or what `work` threw
 */
export async function inTransaction<T>(dataSource: DataSource, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction('READ COMMITTED');
    const result = await work(runner.manager as Transaction);
    await commit(runner);
    return result;
  } catch (error) {
    throw await undo(runner, error);
  } finally {
    await runner.release();
  }
}

/**
 * A transaction in which an error was swallowed is answered with ROLLBACK, and that is no error for the driver. Its own
 * idea of the transaction cannot be asked: a statement is rejected before the driver has heard what became of the transaction.
 */
async function commit(runner: QueryRunner): Promise<void> {
  const client = await clientOf(runner.manager);
  if (client.getTransactionStatus() === 'I') throw new TransactionEndedError();
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new TransactionAbortedError();
}

/** Gives the error to throw. Past TypeORM, whose rollback ends only the innermost of nested transactions. */
async function undo(runner: QueryRunner, error: unknown): Promise<unknown> {
  try {
    const client = await clientOf(runner.manager);
    await client.query('ROLLBACK');
    return error;
  } catch {
    // No connection, or none any more: the server rolls back by itself, and the work is not to blame for its error.
    return new ConnectionLostError(error);
  }
}
