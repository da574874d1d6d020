import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule } from '@shopflow/consumer';
import { Database, DatabaseModule } from '@shopflow/database';
import { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import type { ReminderConfig } from './config.js';
import { InvoicesConsumer } from './consuming/invoices.consumer.js';
import { RemindersController } from './http/reminders.controller.js';
import { StatusController } from './http/status.controller.js';
import { buildScheduler } from './scheduling/build-scheduler.js';
import { readSchedule, type Schedule } from './scheduling/schedule.js';
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
          inject: [SCHEDULE, Database, Readiness],
          useFactory: (schedule: Schedule, database: Database, { stopping }: Readiness) =>
            buildScheduler(schedule, database, config, { clock: () => new Date(), logger, stopping }),
        },
      ],
    };
  }
}
