/**
 * What a held event waits for:
 * - `its turn`: an earlier event of its key; it has not been tried
 * - `retry`: its next try
 * - `newer code`: code that can read it
 * - `a decision`: it is dead and blocks its key until it is replayed or discarded
 */
export type WaitsFor = 'its turn' | 'retry' | 'newer code' | 'a decision';

/** How an event stands after a try that failed. */
export interface Standing {
  readonly waitsFor: WaitsFor;
  /** Tries that count against it. */
  readonly attempts: number;
  readonly dueAt: Date;
  /** Null for one that has not been tried. */
  readonly failure: Failure | null;
}

export interface Failure {
  readonly reason: string;
  readonly firstFailedAt: Date;
  readonly lastFailedAt: Date;
}
