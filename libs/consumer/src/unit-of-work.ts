import { assertCommittable, clientOf, type Database, type Transaction, TransactionAbortedError } from '@shopflow/database';
import { ConnectionLostError } from './failure.js';

type QueryRunner = ReturnType<Database['dataSource']['createQueryRunner']>;
type Client = Awaited<ReturnType<typeof clientOf>>;

/** One open transaction and the connection below it. */
export interface Unit {
  readonly tx: Transaction;
  readonly client: Client;
}

/**
 * Runs `work` in one READ COMMITTED transaction, like `Database.inTransaction`, and tells a lost connection from an error
 * of the work: after a loss TypeORM throws errors of its own for whatever was asked next.
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
    await assertCommittable(tx);
    await runner.commitTransaction();
    assertCommitted(client);
    return result;
  } catch (error) {
    throw await undo(runner, error);
  } finally {
    await runner.release();
  }
}

/** A handler that opened a nested transaction and never closed it turns COMMIT into the release of a savepoint. */
function assertCommitted(client: Client): void {
  if (client.getTransactionStatus() !== 'I') throw new Error('a handler left a nested transaction open, so nothing was committed');
}

/** Gives the error to throw. Past TypeORM, whose rollback ends only the innermost of nested transactions. */
async function undo(runner: QueryRunner, error: unknown): Promise<unknown> {
  if (runner.isReleased) return new ConnectionLostError(error);
  if (!runner.isTransactionActive) return error;
  try {
    const client = await clientOf(runner.manager);
    await client.query('ROLLBACK');
    return error;
  } catch {
    // The server rolls back by itself when the connection is gone.
    return new ConnectionLostError(error);
  }
}

/** What a handler that swallowed an SQL error leaves behind is found here, before it can be blamed on the next one. */
export function assertUsable({ client }: Unit): void {
  if (client.getTransactionStatus() !== 'T') throw new TransactionAbortedError();
}
