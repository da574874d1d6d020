declare module 'vitest' {
  /** What the global set-up hands to every test file. */
  export interface ProvidedContext {
    /** host:port list of the Kafka of this run. */
    kafkaBrokers: string;
    /** URL of the PostgreSQL server of this run, with the right to create databases. */
    databaseUrl: string;
    /** In the name of everything that the run creates, so that it can be found again and removed. */
    runId: string;
  }
}

export {};
