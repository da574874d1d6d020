import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ConsumerModule, KafkaGroup } from '@shopflow/consumer';
import { Database, DatabaseModule } from '@shopflow/database';
import { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import { Metrics } from '@shopflow/telemetry/metrics';
import type { EmailConfig } from './config.js';
import { InvoicesConsumer } from './consuming/invoices.consumer.js';
import { OrdersConsumer } from './consuming/orders.consumer.js';
import { RemindersConsumer } from './consuming/reminders.consumer.js';
import { Contacts } from './contact/contact.js';
import { Invoices } from './invoice/invoice.js';
import { DeadLettersController } from './http/dead-letters.controller.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { StatusController } from './http/status.controller.js';
import { ArchiveDeliveries } from './ledger/archive-deliveries.js';
import { ArchiveLoop } from './ledger/archive-loop.js';
import { FindDeliveries } from './ledger/find-deliveries.js';
import { QueueDeliveries } from './ledger/queue-deliveries.js';
import { ReviveDelivery } from './ledger/revive-delivery.js';
import { LOGGER } from './logger.js';
import { DeliveryMetrics, observeLine } from './metrics/delivery-metrics.js';
import { buildDispatcher } from './sending/build-dispatcher.js';
import { DispatchLoop } from './sending/dispatch-loop.js';
import { DueSignal } from './sending/due-signal.js';

@Module({})
export class EmailModule {
  /** What a process does is set by `EMAIL_ROLE`: the API and the workers can be deployed and scaled apart. */
  static forRoot(config: EmailConfig, logger: Logger): DynamicModule {
    const parts = [
      commonParts(config, logger),
      ...(isApi(config) ? [apiParts] : []),
      ...(isWorker(config) ? [workerParts(config, logger)] : []),
    ];
    return {
      module: EmailModule,
      imports: parts.flatMap(({ imports = [] }) => imports),
      controllers: parts.flatMap(({ controllers = [] }) => controllers),
      providers: parts.flatMap(({ providers = [] }) => providers),
    };
  }
}

const isApi = ({ emailRole }: EmailConfig) => emailRole !== 'worker';
/** Consumes events and sends e-mails. */
export const isWorker = ({ emailRole }: EmailConfig) => emailRole !== 'api';

const commonParts = (config: EmailConfig, logger: Logger): ModuleMetadata => ({
  imports: [DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'email', poolSize: 10 + config.mailConcurrency })],
  controllers: [StatusController],
  providers: [{ provide: LOGGER, useValue: logger }, ReviveDelivery, FindDeliveries],
});

const apiParts: ModuleMetadata = { controllers: [DeliveriesController, DeadLettersController] };

const workerParts = (config: EmailConfig, logger: Logger): ModuleMetadata => ({
  imports: [ConsumerModule.forRoot({ group: 'email', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger })],
  controllers: [OrdersConsumer, InvoicesConsumer, RemindersConsumer],
  providers: [
    Contacts,
    Invoices,
    QueueDeliveries,
    {
      provide: DispatchLoop,
      inject: [Database, KafkaGroup, Readiness, Metrics, FindDeliveries],
      useFactory: (database: Database, group: KafkaGroup, { stopping }: Readiness, { meter }: Metrics, deliveries: FindDeliveries) => {
        observeLine(meter, deliveries);
        const onLetter = () => group.publishDeadLetters();
        const dispatcher = buildDispatcher(database, config, { logger, onLetter, metrics: new DeliveryMetrics(meter) });
        const signal = new DueSignal(config.databaseUrl, () => dispatcher.wake(), logger);
        return new DispatchLoop(dispatcher, signal, config.mailPollMs, stopping, logger);
      },
    },
    {
      provide: ArchiveLoop,
      inject: [Database],
      useFactory: (database: Database) => new ArchiveLoop(new ArchiveDeliveries(database, config.mailArchiveDays), logger),
    },
  ],
});
