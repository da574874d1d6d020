import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule, KafkaGroup } from '@shopflow/consumer';
import { Database, DatabaseModule } from '@shopflow/database';
import { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import type { EmailConfig } from './config.js';
import { InvoicesConsumer } from './consuming/invoices.consumer.js';
import { OrdersConsumer } from './consuming/orders.consumer.js';
import { RemindersConsumer } from './consuming/reminders.consumer.js';
import { Contacts } from './contact/contact.js';
import { Invoices } from './invoice/invoice.js';
import { DeadLettersController } from './http/dead-letters.controller.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { StatusController } from './http/status.controller.js';
import { FindDeliveries } from './ledger/find-deliveries.js';
import { QueueDeliveries } from './ledger/queue-deliveries.js';
import { ReviveDelivery } from './ledger/revive-delivery.js';
import { LOGGER } from './logger.js';
import { buildDispatcher } from './sending/build-dispatcher.js';
import { DispatchLoop } from './sending/dispatch-loop.js';
import { DueSignal } from './sending/due-signal.js';

@Module({})
export class EmailModule {
  static forRoot(config: EmailConfig, logger: Logger): DynamicModule {
    return {
      module: EmailModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'email', poolSize: 10 + config.mailConcurrency }),
        ConsumerModule.forRoot({ group: 'email', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger }),
      ],
      controllers: [OrdersConsumer, InvoicesConsumer, RemindersConsumer, DeliveriesController, DeadLettersController, StatusController],
      providers: [
        { provide: LOGGER, useValue: logger },
        Contacts,
        Invoices,
        QueueDeliveries,
        ReviveDelivery,
        FindDeliveries,
        {
          provide: DispatchLoop,
          inject: [Database, KafkaGroup, Readiness],
          useFactory: (database: Database, group: KafkaGroup, { stopping }: Readiness) =>
            dispatchLoop(database, group, stopping, config, logger),
        },
      ],
    };
  }
}

function dispatchLoop(database: Database, group: KafkaGroup, stopping: AbortSignal, config: EmailConfig, logger: Logger): DispatchLoop {
  const { dispatcher } = buildDispatcher(database, config, { logger, onLetter: () => group.publishDeadLetters() });
  return new DispatchLoop(dispatcher, new DueSignal(config.databaseUrl, () => dispatcher.wake(), logger), config.mailPollMs, stopping);
}
