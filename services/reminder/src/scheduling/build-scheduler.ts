import type { Database } from '@shopflow/database';
import { buildReminders } from '../build-reminders.js';
import type { ReminderConfig } from '../config.js';
import { firstStart } from '../persistence/schedule-start.js';
import { catchUpWithEvents, readOffsets } from './catch-up-with-events.js';
import type { Schedule } from './schedule.js';
import { Scheduler, type SchedulerSurroundings } from './scheduler.js';

export type SchedulingConfig = Pick<ReminderConfig, 'kafkaBrokers' | 'shopflowNamespace' | 'reminderPatienceMs'>;

/** Puts the raising of reminders together. */
export function buildScheduler(
  schedule: Schedule,
  database: Database,
  { kafkaBrokers: brokers, shopflowNamespace: namespace, reminderPatienceMs }: SchedulingConfig,
  around: SchedulerSurroundings,
): Scheduler {
  const { logger, stopping } = around;
  const offsets = () => readOffsets('reminder', { brokers, namespace, logger });
  const catchUp = () => catchUpWithEvents(offsets, reminderPatienceMs, logger, stopping);
  return new Scheduler(schedule, buildReminders(database), (now) => firstStart(database, now), catchUp, around);
}
