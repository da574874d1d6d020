import type { Logger } from '@shopflow/telemetry';

/**
 * - `active`: has the slot; what is committed goes out
 * - `standby`: another relay has the slot; takes over when it ends
 * - `waiting for broker`: or for a topic; goes on by itself
 * - `waiting for database`: or for its migration, or for writers that a new slot has to wait for; goes on by itself
 * - `refused`: going on could skip events; a person has to decide
 */
export type SourceState = 'starting' | 'active' | 'standby' | 'waiting for broker' | 'waiting for database' | 'refused' | 'stopped';

const REPEAT_MS = 30_000;
const LEVELS = {
  starting: 'debug',
  active: 'info',
  standby: 'info',
  'waiting for broker': 'warn',
  'waiting for database': 'warn',
  refused: 'error',
  stopped: 'info',
} as const;

/** What a source does now and why, for people: each change is logged, and what lasts is logged again every 30 s. */
export class SourceStatus {
  state: SourceState = 'starting';
  reason: string | undefined;
  since = new Date();
  /** Events that Kafka accepted from this process, replays included. */
  published = 0;
  lastPublishedAt: Date | undefined;
  private loggedAt = 0;

  /** @param logger names the source in its lines */
  constructor(private readonly logger: Logger) {}

  /** @param unexplained an error that no state is made for: its stack is logged */
  change(state: SourceState, reason?: string, unexplained?: unknown): void {
    const same = state === this.state && reason === this.reason;
    if (same && Date.now() - this.loggedAt < REPEAT_MS) return;
    if (state !== this.state) this.since = new Date();
    this.state = state;
    this.reason = reason;
    this.loggedAt = Date.now();
    const line = unexplained === undefined ? { state } : { state, err: unexplained };
    this.logger[unexplained === undefined ? LEVELS[state] : 'error'](line, reason === undefined ? state : `${state}: ${reason}`);
  }

  countPublished(events: number): void {
    this.published += events;
    this.lastPublishedAt = new Date();
    if (this.state !== 'active') this.change('active');
  }

  /** Also when nothing of what waited for it was published. */
  brokerIsBack(): void {
    if (this.state === 'waiting for broker') this.change('active');
  }
}
