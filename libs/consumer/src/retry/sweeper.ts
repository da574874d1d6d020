import type { Database } from '@shopflow/database';
import { waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { NEWER_CODE_MS } from '../decide-failure.js';
import { classifyFailure, reasonOf } from '../failure.js';
import type { HeldKey } from '../held/held-key.js';
import { findOverdueKeys } from './find-overdue-keys.js';
import { type ReadableType, wakeNewer } from './wake-newer.js';
import type { Advance, UntilAllowed } from './wake-up.js';

export interface SweeperOptions {
  readonly group: string;
  readonly advance: Advance;
  readonly untilAllowed: UntilAllowed;
  /** What this code can read. */
  readonly readable: readonly ReadableType[];
  /** Between two passes. */
  readonly sweepMs: number;
  /** A key is left to its wake-up for so long; 5 s unless given. */
  readonly graceMs?: number;
  readonly clock: () => Date;
  readonly logger: Logger;
}

const GRACE_MS = 5_000;

/**
 * Guarantees that held events go on: looks from time to time at keys that are overdue, whatever became of their wake-ups,
 * and at what an older version of the code could not read. Each member has one; they skip what another works on.
 */
export class Sweeper {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private nextLookForNewer = 0;
  private found = 0;

  constructor(
    private readonly database: Database,
    private readonly options: SweeperOptions,
  ) {}

  /** Overdue keys that it has looked at since the process started. */
  get swept(): number {
    return this.found;
  }

  /** The first pass begins at once. */
  start(): void {
    this.running ??= this.sweep();
  }

  /** Begins nothing more and finishes the key under way. Afterwards the database may close. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async sweep(): Promise<void> {
    while (!this.stopped) {
      await this.pass();
      await waitOrAbort(this.options.sweepMs, this.stopping.signal);
    }
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async pass(): Promise<void> {
    const { group, logger, sweepMs } = this.options;
    try {
      await this.options.untilAllowed(this.stopping.signal);
      await this.lookForNewer();
      await this.lookForOverdue();
    } catch (error) {
      const fields = { group, nextTryInMs: sweepMs, err: error };
      if (!this.stopped) logger.warn(fields, `the look for overdue held events ends early: ${reasonOf(error)}`);
    }
  }

  private async lookForNewer(): Promise<void> {
    const { group, readable, clock } = this.options;
    const now = clock();
    if (this.stopped || now.getTime() < this.nextLookForNewer) return;
    let skipped = 0;
    for await (const keys of wakeNewer(this.database, group, readable, now)) {
      skipped += keys.skipped;
      for (const key of keys.woken) await this.advance(key);
    }
    // Not at each pass: a head that this code could read and yet could not must not be tried over and over.
    if (skipped === 0) this.nextLookForNewer = now.getTime() + NEWER_CODE_MS;
  }

  private async lookForOverdue(): Promise<void> {
    const { group, graceMs = GRACE_MS, clock } = this.options;
    if (this.stopped) return;
    for await (const key of findOverdueKeys(this.database, group, new Date(clock().getTime() - graceMs))) {
      if (this.stopped) return;
      this.found += 1;
      await this.advance(key);
    }
  }

  /** @throws an outage: it would meet every other key as well */
  private async advance(key: HeldKey): Promise<void> {
    const { signal } = this.stopping;
    try {
      await this.options.untilAllowed(signal);
      if (!this.stopped) await this.options.advance(key, { skipLocked: true, signal });
    } catch (error) {
      const kind = classifyFailure(error);
      if (kind === 'outage') throw error;
      const fields = { group: this.options.group, topic: key.topic, key: key.key.toString('base64'), err: error };
      const level = kind === 'contention' ? 'debug' : 'error';
      this.options.logger[level](fields, `a held key could not be looked at, and is at the next pass: ${reasonOf(error)}`);
    }
  }
}
