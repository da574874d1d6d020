/** A person has to decide: going on could skip events without a trace. */
export class RefusedSourceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedSourceError';
  }
}

/** Another relay publishes this source. */
export class SlotInUseError extends Error {
  constructor(readonly slot: string) {
    super(`another relay has slot ${slot}`);
    this.name = 'SlotInUseError';
  }
}

/** The database has no outbox yet, or an older one: its service has not migrated it. */
export class NotMigratedError extends Error {
  constructor() {
    super(
      'the database has no outbox, or one of an earlier version (wanted: publication shopflow_outbox, table relay_adoptions): run the migrations of its service',
    );
    this.name = 'NotMigratedError';
  }
}

/** The server is a standby: only once it is promoted can it be read and written. */
export class NotPromotedError extends Error {
  constructor() {
    super('the server is a standby: the relay goes on when it is promoted, or give it the URL of the primary');
    this.name = 'NotPromotedError';
  }
}
