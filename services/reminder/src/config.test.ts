import { expect, it } from 'vitest';
import { readReminderConfig } from './config.js';

const env = { DATABASE_URL: 'postgres://u:p@db:5432/reminder', KAFKA_BROKERS: 'kafka:9092' };

it('reminds on weekdays at 08:00 unless told otherwise', () => {
  expect(readReminderConfig(env)).toMatchObject({ port: 3007, reminderCron: '0 8 * * 1-5', reminderPatienceMs: 300_000 });
});

it.each(['0 8 * * 1-9', 'every morning', '0 0 8 * * 1-5', '0 8 31 2 *'])('does not start with the schedule %j', (pattern) => {
  const reading = () => readReminderConfig({ ...env, REMINDER_CRON: pattern });
  expect(reading).toThrow(`REMINDER_CRON is ${JSON.stringify(pattern)}; wanted: minute, hour, day, month and weekday`);
});
