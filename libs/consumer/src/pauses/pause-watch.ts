import type { Database } from '@shopflow/database';
import { waitOrAbort } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { reasonOf } from '../failure.js';
import { type Pause, readPause, readResume } from './read-pause.js';

const POLL_MS = 2_000;

/** Follows what operators decide: nothing is begun while the group is paused, which may have been before this process started. */
export class PauseWatch {
  private current: Pause | null = null;
  private readonly stopping = new AbortController();
  private changed = Promise.withResolvers<void>();
  private readonly known = Promise.withResolvers<void>();

  constructor(
    private readonly database: Database,
    private readonly group: string,
    private readonly logger: Logger,
  ) {}

  /** Who has paused the group, and why; null when it may run. */
  get pause(): Pause | null {
    return this.current;
  }

  start(): void {
    void this.watch();
  }

  stop(): void {
    this.stopping.abort();
    this.known.resolve();
    this.changed.resolve();
  }

  /** Resolves when it is known that the group may run; also when the signal is aborted. */
  async untilResumed(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([this.known.promise, aborted.promise]);
      while (this.current !== null && !signal.aborted && !this.stopping.signal.aborted)
        await Promise.race([this.changed.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.look();
        this.known.resolve();
      } catch (error) {
        // Without the database nothing runs anyway; what was decided last stays.
        this.logger.warn({ group: this.group, err: error }, `whether the group is paused cannot be read: ${reasonOf(error)}`);
      }
      await waitOrAbort(POLL_MS, this.stopping.signal);
    }
  }

  private async look(): Promise<void> {
    const { database, group } = this;
    const pause = await readPause(database, group);
    if ((pause === null) === (this.current === null)) return;
    const resume = pause === null ? await readResume(database, group) : null;
    this.current = pause;
    if (pause) this.logger.warn({ group, ...pause }, `group ${group} is paused by ${pause.who}: ${pause.why}`);
    else this.logger.info({ group, ...resume }, `group ${group} goes on${resume ? `, resumed by ${resume.who}: ${resume.why}` : ''}`);
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
