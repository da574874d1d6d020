import { clientOf, type Database, type Transaction, TransactionAbortedError } from '@shopflow/database';
import { ConnectionLostError } from './failure.js';

type QueryRunner = ReturnType<Database['dataSource']['createQueryRunner']>;
type Client = Awaited<ReturnType<typeof clientOf>>;

/** One open transaction and the connection below it. */
export interface Unit {
  readonly tx: Transaction;
  readonly client: Client;
}

/**
 * Runs `work` in one READ COMMITTED transaction. Differs from `Database.inTransaction` in two ways: it tells a lost
 * connection from an error of the work (after a loss TypeORM throws errors of its own for whatever is asked next), and it
 * reads the server's answer to COMMIT.
 *
 * @throws ConnectionLostError, TransactionAbortedError, or what `work` threw
 */
export async function inUnit<T>(database: Database, work: (unit: Unit) => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.startTransaction('READ COMMITTED');
    const tx = runner.manager as Transaction;
    const client = await clientOf(tx);
    const result = await work({ tx, client });
    await commit(client);
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
async function commit(client: Client): Promise<void> {
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

/** A handler has ended the transaction itself: whatever followed would be outside any, and the claims may be gone. */
export class TransactionEndedError extends Error {
  constructor() {
    super('a handler ended the transaction that it was given; COMMIT and ROLLBACK are not for handlers');
    this.name = 'TransactionEndedError';
  }
}

/** @throws TransactionEndedError */
export function assertOpen({ client }: Unit): void {
  if (client.getTransactionStatus() === 'I') throw new TransactionEndedError();
}

const IN_FAILED_TRANSACTION = '25P02';

/** Says of the error of a statement that followed a swallowed one what it is about. */
export function explainAborted(error: unknown): unknown {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  return (driverError?.code ?? code) === IN_FAILED_TRANSACTION ? new TransactionAbortedError() : error;
}
