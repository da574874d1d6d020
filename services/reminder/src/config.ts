import { type CrossRule, databaseSettings, kafkaSettings, readConfig, serviceSettings, setting } from '@shopflow/config';
import Type, { type Static } from 'typebox';
import { readSchedule } from './scheduling/schedule.js';

const schema = Type.Object({
  ...serviceSettings({ port: 3007 }),
  ...databaseSettings,
  ...kafkaSettings,
  reminderCron: setting.text({ default: '0 8 * * 1-5', meaning: 'when reminders are due, as a cron pattern in UTC' }),
  reminderPatienceMs: setting.milliseconds({
    default: 300_000,
    meaning: 'how long a run waits until all events of invoices that are there when it is due have been read',
  }),
});

export type ReminderConfig = Static<typeof schema>;

/** A schedule that cannot be read, or that never comes, would be found out about only by who misses the reminders. */
const scheduleComes: CrossRule<ReminderConfig> = ({ reminderCron }) => {
  try {
    readSchedule(reminderCron);
    return undefined;
  } catch (error) {
    return `REMINDER_CRON is ${JSON.stringify(reminderCron)}; wanted: minute, hour, day, month and weekday (${(error as Error).message})`;
  }
};

/** @throws ConfigError naming every fault */
export const readReminderConfig = (env?: Readonly<Record<string, string | undefined>>): ReminderConfig =>
  readConfig(schema, env, [scheduleComes]);

/** What the commands of an operator need of {@link ReminderConfig}. */
export const readDatabaseUrl = (): string => readConfig(Type.Object(databaseSettings)).databaseUrl;
