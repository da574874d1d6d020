/** Everything that a handler gets fails alike: nothing is charged to its events until one of them has succeeded. */
export class BreakerOpenError extends Error {
  constructor(handler: string, cause: unknown) {
    super(`${handler} fails for every event alike; it waits until one succeeds`, { cause });
    this.name = 'BreakerOpenError';
  }
}
