import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Progress } from '../source/progress.js';
import { deleteDecided } from './delete-decided.js';
import { deletePublished, type PublishedTable } from './delete-published.js';
import { isBehind } from './is-behind.js';

export interface RetentionSettings {
  /** Days that a published row is kept. */
  readonly days: number;
  readonly batchRows: number;
  /** Part of the time in which it works at most; the rest it pauses. */
  readonly share: number;
  /** From one look at what has grown old to the next, in milliseconds. */
  readonly everyMs: number;
  /** How long it stays away from a database whose events wait to be published, in milliseconds. */
  readonly giveWayMs: number;
}

export const RETENTION_DEFAULTS: Omit<RetentionSettings, 'days'> = { batchRows: 2_000, share: 0.2, everyMs: 60_000, giveWayMs: 1_000 };

export interface RetentionOptions {
  readonly pool: Pool;
  /** The relay that holds this slot on this server: only its progress says what is published. */
  readonly progress: Progress;
  readonly settings: Pick<RetentionSettings, 'days'> & Partial<RetentionSettings>;
  readonly clock: () => Date;
  readonly onDeleted?: (rows: number) => void;
  /** It goes on by itself; the next try is due at the next look. */
  readonly onFailure: (error: unknown) => void;
}

const DAY_MS = 86_400_000;
const START = '0';
/** Rows that were kept when they had grown old, because they waited, are looked at again so often. */
const FROM_THE_START_MS = 3_600_000;

/** Deletes from one source what is published and old, in small batches with long pauses, for as long as this relay has the slot. */
export class OutboxRetention {
  private readonly settings: RetentionSettings;
  private readonly stopping = new AbortController();
  private readonly reached = new Map<PublishedTable, string>();
  private startedOverAt = 0;
  private running: Promise<void> | undefined;

  constructor(private readonly options: RetentionOptions) {
    this.settings = { ...RETENTION_DEFAULTS, ...options.settings };
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the statement in progress, which takes two seconds at most, has ended. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('retention is stopped'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) => signal.aborted || this.options.onFailure(error));
      await delay(this.settings.everyMs, undefined, { signal, ref: false }).catch(() => {}); // only a stop ends the pause early
    }
  }

  /** Deletes all that has grown old. */
  private async look(): Promise<void> {
    const { pool, clock } = this.options;
    const now = clock().getTime();
    if (now - this.startedOverAt >= FROM_THE_START_MS) this.startOver(now);
    const before = new Date(now - this.settings.days * DAY_MS);
    await this.walk('outbox', before);
    await this.walk('outbox_replays', before);
    while ((await this.paced(() => deleteDecided(pool, this.settings.batchRows, before))) === this.settings.batchRows);
  }

  private startOver(now: number): void {
    this.startedOverAt = now;
    this.reached.clear();
  }

  /** Along `seq`, which `created_at` follows, up to a page on which nothing is old; there the next look goes on. */
  private async walk(table: PublishedTable, before: Date): Promise<void> {
    const { pool, progress, onDeleted } = this.options;
    for (;;) {
      const page = { after: this.reached.get(table) ?? START, rows: this.settings.batchRows, before };
      const { deleted, next } = await this.paced(() => deletePublished(pool, table, progress, page));
      onDeleted?.(deleted);
      if (next === undefined) return;
      this.reached.set(table, next);
    }
  }

  /** @throws the stop's reason */
  private async paced<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    const { share, giveWayMs } = this.settings;
    const pauseFor = (ms: number) => delay(ms, undefined, { signal, ref: false });
    while (await isBehind(this.options.pool)) await pauseFor(giveWayMs);
    const start = performance.now();
    const result = await work();
    await pauseFor(((performance.now() - start) * (1 - share)) / share);
    return result;
  }
}
