import type { Database } from '@shopflow/database';
import { waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { HorizonTooShortError } from './horizon-fault.js';
import { countPages, lockPruning, type PageRange, pruneProcessed } from './prune-processed.js';

export interface PrunerOptions {
  readonly group: string;
  /** Events are remembered this long; Infinity: for ever. */
  readonly horizonDays: number;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** Between two passes; 6 hours unless given. A pass reads the whole table. */
  readonly everyMs?: number;
  /** Between two batches of a pass; 100 ms unless given. */
  readonly pauseMs?: number;
  /** Asked before each pass whether the horizon is still long enough; nothing is forgotten when it throws. */
  readonly check?: () => Promise<void>;
}

const DAY_MS = 86_400_000;
const EVERY_MS = 6 * 3_600_000;
const PAUSE_MS = 100;
/** Some 5,000 rows: a transaction of some 50 ms. */
const PAGES = 64;

/**
 * Forgets the events that can no longer arrive, so that `processed_events` does not grow for ever: every few hours, in
 * small transactions with pauses between, one member of the group at a time. Nobody waits for it but whoever claims an
 * event that is being forgotten, which can no longer arrive.
 */
export class Pruner {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly options: PrunerOptions,
  ) {}

  /** The first pass begins at once. */
  start(): void {
    if (this.options.horizonDays !== Infinity) this.running ??= this.run();
  }

  /** Ends after the batch under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.pass();
      await waitOrAbort(this.options.everyMs ?? EVERY_MS, signal);
    }
  }

  /** What fails is tried again in the next pass: nothing is lost by remembering too much. */
  private async pass(): Promise<void> {
    const { group, horizonDays, logger } = this.options;
    try {
      await this.options.check?.();
      const pruned = await this.pruneAll();
      if (pruned > 0) logger.info({ group, pruned }, `${pruned} events forgotten that group ${group} had over ${horizonDays} days ago`);
    } catch (error) {
      const level = error instanceof HorizonTooShortError ? 'error' : 'warn';
      logger[level]({ err: error }, `group ${group} forgets nothing now; it tries again later`);
    }
  }

  private async pruneAll(): Promise<number> {
    const before = new Date(this.options.clock().getTime() - this.options.horizonDays * DAY_MS);
    const pages = await countPages(this.database);
    let pruned = 0;
    for (let from = 0; from < pages && !this.stopping.signal.aborted; from += PAGES) {
      const count = await this.pruneBatch({ from, to: from + PAGES }, before);
      if (count === undefined) break;
      pruned += count;
      await waitOrAbort(this.options.pauseMs ?? PAUSE_MS, this.stopping.signal);
    }
    return pruned;
  }

  /** @returns undefined when another member is at it */
  private pruneBatch(range: PageRange, before: Date): Promise<number | undefined> {
    const { group } = this.options;
    return this.database.inTransaction(async (tx) =>
      (await lockPruning(tx, group)) ? pruneProcessed(tx, group, range, before) : undefined,
    );
  }
}
