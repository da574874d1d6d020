import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { OpenConnection } from './open-connection.js';
import { clientOf, type PgClient } from './sql.js';
import { ConnectionLostError, TransactionAbortedError, TransactionEndedError } from './transaction-errors.js';

declare const openTransaction: unique symbol;

/** TypeORM's EntityManager on a connection with an open transaction. Only {@link inTransaction} makes one. */
export type Transaction = EntityManager & { readonly [openTransaction]: true };

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. An error of `work` rolls back and comes out unchanged, unless
 * the connection is gone: after that TypeORM throws errors of its own for whatever is asked next, and nobody is to blame.
 *
 * @throws TransactionAbortedError, TransactionEndedError, ConnectionLostError (then it is not known whether COMMIT came through),
 *   what {@link destroyConnection} was given, or what `work` threw
 */
export async function inTransaction<T>(dataSource: DataSource, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connection = new OpenConnection();
  try {
    const client = await clientOf(runner.manager);
    connection.watch(runner, client);
    await begin(runner, client);
    const result = await work(runner.manager as Transaction);
    await commit(runner);
    return result;
  } catch (error) {
    throw connection.destroyedFor ?? (await undo(runner, connection.lostBy ?? error, error));
  } finally {
    connection.leave();
    await runner.release();
  }
}

/**
 * Ends the connection of an open transaction at once, whatever it is doing, and takes it out of the pool: nothing of the
 * transaction will ever count, every later statement in it is rejected, and the server gives its locks back within half a second.
 * Its `inTransaction` rejects with `reason` as soon as its work ends, in whatever way.
 */
export function destroyConnection(tx: EntityManager, reason: Error): void {
  OpenConnection.of(tx).destroy(reason);
}

/**
 * Waits for the answer, although the first statement could go out with BEGIN: should BEGIN alone be cancelled, or find no
 * memory, what follows it would be committed one by one, claims without their effects. Measured, the wait takes some 30 µs of
 * a transaction here, and one way to the server and back elsewhere. TypeORM, past which this goes, is told that a
 * transaction is open, so that it nests others in it.
 *
 * @throws ConnectionLostError whatever the reason: there is no transaction, and nothing of the work has begun
 */
async function begin(runner: QueryRunner, client: PgClient): Promise<void> {
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  } catch (error) {
    throw new ConnectionLostError(error);
  }
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
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
async function undo(runner: QueryRunner, loss: unknown, error: unknown): Promise<unknown> {
  try {
    const client = await clientOf(runner.manager);
    await client.query('ROLLBACK');
    return error;
  } catch {
    // No connection, or none any more: the server rolls back by itself, and the work is not to blame for its error.
    return loss instanceof ConnectionLostError ? loss : new ConnectionLostError(loss);
  }
}
