/** Somebody caught an SQL error inside the transaction and went on: PostgreSQL answered COMMIT with ROLLBACK. */
export class TransactionAbortedError extends Error {
  constructor() {
    super(
      'a statement of this transaction failed and its error was swallowed, so nothing was committed; let the error through, or use a savepoint',
    );
    this.name = 'TransactionAbortedError';
  }
}

/** The work ended the transaction itself: whatever followed was outside any. */
export class TransactionEndedError extends Error {
  constructor() {
    super('the work ended the transaction that it was given; COMMIT and ROLLBACK are not for it');
    this.name = 'TransactionEndedError';
  }
}

/** There is no connection, it did not begin a transaction, or it was lost in the middle: nothing is known against the work that it was for. */
export class ConnectionLostError extends Error {
  constructor(cause: unknown) {
    super(`no database connection: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'ConnectionLostError';
  }
}
