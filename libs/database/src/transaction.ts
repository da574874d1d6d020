import type { DataSource, EntityManager } from 'typeorm';
import { clientOf } from './sql.js';

declare const openTransaction: unique symbol;

/** TypeORM's EntityManager on a connection with an open transaction. Only {@link inTransaction} and the consumer make one. */
export type Transaction = EntityManager & { readonly [openTransaction]: true };

/** Somebody caught an SQL error inside the transaction and went on: PostgreSQL would answer COMMIT with ROLLBACK. */
export class TransactionAbortedError extends Error {
  constructor() {
    super(
      'a statement of this transaction failed and its error was swallowed, so nothing was committed; let the error through, or use a savepoint',
    );
    this.name = 'TransactionAbortedError';
  }
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. An error of `work` rolls back and comes out unchanged.
 *
 * @throws TransactionAbortedError when a swallowed SQL error has already aborted the transaction: TypeORM alone would resolve
 */
export async function inTransaction<T>(dataSource: DataSource, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return dataSource.transaction('READ COMMITTED', async (manager) => {
    const result = await work(manager as Transaction);
    await assertCommittable(manager as Transaction);
    return result;
  });
}

/** TypeORM's own `isTransactionActive` stays true after a raw ROLLBACK; the server's answer does not lie. */
export async function assertCommittable(tx: Transaction): Promise<void> {
  const client = await clientOf(tx);
  if (client.getTransactionStatus() !== 'T') throw new TransactionAbortedError();
}
