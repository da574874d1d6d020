import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule } from '@shopflow/consumer';
import { Database, DatabaseModule } from '@shopflow/database';
import { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import { buildReminders } from './build-reminders.js';
import type { ReminderConfig } from './config.js';
import { InvoicesConsumer } from './consuming/invoices.consumer.js';
import { RemindersController } from './http/reminders.controller.js';
import { StatusController } from './http/status.controller.js';
import { firstStart } from './persistence/schedule-start.js';
import { readSchedule } from './scheduling/schedule.js';
import { Scheduler } from './scheduling/scheduler.js';
import { SCHEDULE } from './scheduling/schedule-token.js';

@Module({})
export class ReminderModule {
  static forRoot(this: void, config: ReminderConfig, logger: Logger): DynamicModule {
    return {
      module: ReminderModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'reminder' }),
        ConsumerModule.forRoot({ group: 'reminder', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger }),
      ],
      controllers: [InvoicesConsumer, RemindersController, StatusController],
      providers: [
        { provide: SCHEDULE, useFactory: () => readSchedule(config.reminderCron) },
        {
          provide: Scheduler,
          inject: [Database, Readiness],
          useFactory: (database: Database, { stopping }: Readiness) => scheduler(database, config, logger, stopping),
        },
      ],
    };
  }
}

function scheduler(database: Database, config: ReminderConfig, logger: Logger, stopping: AbortSignal): Scheduler {
  const around = { clock: () => new Date(), logger, stopping };
  return new Scheduler(readSchedule(config.reminderCron), buildReminders(database), (now) => firstStart(database, now), around);
}
