import { Cron } from 'croner';

/** The times at which reminders are due: a cron pattern in UTC, whatever the machine's own time zone. */
export interface Schedule {
  /** `0 8 * * 1-5` */
  readonly pattern: string;
  /** The first due time after `time`; undefined when there is none any more. */
  nextAfter(time: Date): Date | undefined;
  /** The last due time that is not after `time`: one is due from its very moment on. */
  latestAt(time: Date): Date | undefined;
}

/** @throws Error when it cannot be read, or never comes */
export function readSchedule(pattern: string): Schedule {
  const cron = new Cron(pattern, { timezone: 'UTC', mode: '5-part', paused: true });
  const nextAfter = (time: Date) => cron.nextRun(time) ?? undefined;
  if (nextAfter(new Date(0)) === undefined) throw new Error(`${pattern} never comes`);
  // The library's previous runs are those before the time that it is given.
  const latestAt = (time: Date) => cron.previousRuns(1, new Date(time.getTime() + 1))[0];
  return { pattern, nextAfter, latestAt };
}

/** The day that a run is for: the UTC date of the time at which it was due, `2026-10-05`. */
export const dayOf = (dueAt: Date): string => dueAt.toISOString().slice(0, 10);
