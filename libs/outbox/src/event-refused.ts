/** An event that may not enter the outbox. It fails the business transaction, so a bad event is never published. */
export class EventRefusedError extends Error {
  /** The same append is refused each time: a consumer need not try it again. */
  readonly permanent = true;
  constructor(
    readonly type: string,
    /** Dotted paths of the payload fields at fault, or the name of the option; empty when it is the whole. */
    readonly fields: readonly string[],
    /** What is wrong. */
    readonly fault: string,
    readonly remedy: string,
  ) {
    super(`${type}: ${fault}; ${remedy}`);
    this.name = 'EventRefusedError';
  }
}

/** An append whose row would commit by itself, without the change that it tells of. */
export class NoTransactionError extends Error {
  constructor(readonly type: string) {
    super(`${type}: append runs outside a transaction; pass the tx that database.inTransaction gives, inside its callback`);
    this.name = 'NoTransactionError';
  }
}
