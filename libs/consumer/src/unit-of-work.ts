import { clientOf, type Database, type Transaction, TransactionAbortedError, TransactionEndedError } from '@shopflow/database';

/** The node-postgres client of a transaction. */
export type Client = Awaited<ReturnType<typeof clientOf>>;

/** One open transaction and the connection below it. */
export interface Unit {
  readonly tx: Transaction;
  readonly client: Client;
}

/** Handlers that may take longer than this would be cut off by the server: see `idle_in_transaction_session_timeout` in libs/database. */
const SERVER_PATIENCE_MS = 10_000;

/**
 * Runs `work` in one transaction.
 *
 * @param timeLimitMs of a handler's call in it
 * @throws what `Database.inTransaction` throws
 */
export const inUnit = <T>(database: Database, timeLimitMs: number, work: (unit: Unit) => Promise<T>): Promise<T> =>
  database.inTransaction(async (tx) => {
    const client = await clientOf(tx);
    if (timeLimitMs > SERVER_PATIENCE_MS) await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${timeLimitMs + 5_000}`);
    return work({ tx, client });
  });

/** A handler has ended the transaction itself, and the claims may be gone. @throws TransactionEndedError */
export function assertOpen({ client }: Unit): void {
  if (client.getTransactionStatus() === 'I') throw new TransactionEndedError();
}

const IN_FAILED_TRANSACTION = '25P02';

/** Says of the error of a statement that followed a swallowed one what it is about. */
export function explainAborted(error: unknown): unknown {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  return (driverError?.code ?? code) === IN_FAILED_TRANSACTION ? new TransactionAbortedError() : error;
}
