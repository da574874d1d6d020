import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { type Logger, runWithContext } from '@shopflow/telemetry';
import type { RaiseReminders } from '../raise-reminders.js';
import { correlationOf } from '../reminder.js';
import { dayOf, type Schedule } from './schedule.js';

/** No timer runs for longer: a clock that was put right, or a machine that slept, is noticed within this time. */
const LONGEST_WAIT_MS = 30_000;
const RETRY_MS = 5_000;

export interface SchedulerSurroundings {
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Aborts at the beginning of an orderly stop. */
  readonly stopping: AbortSignal;
}

/**
 * Starts the run that is due, and after a time without any process the latest that was missed, not one for each. What was due
 * before reminders were first scheduled is not missed. Whether a run was done is asked of the database, so any number of
 * schedulers may fire for the same time.
 */
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private since: Date | undefined;
  /** The due time that is known to be done with. */
  private done: number | undefined;

  constructor(
    private readonly schedule: Schedule,
    private readonly reminders: Pick<RaiseReminders, 'execute' | 'isDone'>,
    private readonly firstStart: (now: Date) => Promise<Date>,
    private readonly catchUp: () => Promise<void>,
    private readonly around: SchedulerSurroundings,
  ) {}

  /** Does not wait for the run: the service is there meanwhile. */
  onApplicationBootstrap(): void {
    this.around.stopping.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
    this.wake();
  }

  /** Resolves when no run is under way here; the rest of one that was is left to the next start, or to another process. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.working;
  }

  /** Runs what is due now and not done. */
  async look(): Promise<void> {
    const now = this.around.clock();
    this.since ??= await this.firstStart(now);
    const dueAt = this.schedule.latestAt(now);
    if (dueAt === undefined || dueAt <= this.since || dueAt.getTime() === this.done) return;
    if (!(await this.reminders.isDone(dueAt))) await this.run(dueAt);
    else this.done = dueAt.getTime();
  }

  private async run(dueAt: Date): Promise<void> {
    const day = dayOf(dueAt);
    const { logger, stopping } = this.around;
    await runWithContext({ correlationId: correlationOf(day) }, async () => {
      await this.catchUp();
      const { raised, finished } = await this.reminders.execute(dueAt, stopping);
      if (finished) this.done = dueAt.getTime();
      logger.info({ dueAt: dueAt.toISOString(), day, raised }, finished ? 'reminders raised' : 'stopping: the rest of the run is left');
    });
  }

  private wake(): void {
    this.working = this.keepLooking();
  }

  private async keepLooking(): Promise<void> {
    const { logger, stopping } = this.around;
    const waitMs = await this.look().then(
      () => this.untilNext(),
      (error: unknown) => {
        logger.error({ err: error }, `reminders could not be raised; tried again in ${RETRY_MS} ms`);
        return RETRY_MS;
      },
    );
    if (!stopping.aborted) this.timer = setTimeout(() => this.wake(), waitMs);
  }

  private untilNext(): number {
    const now = this.around.clock();
    const next = this.schedule.nextAfter(now)?.getTime() ?? Infinity;
    return Math.min(Math.max(next - now.getTime(), 1), LONGEST_WAIT_MS);
  }
}
