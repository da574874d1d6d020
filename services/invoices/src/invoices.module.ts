import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule } from '@shopflow/consumer';
import { DatabaseModule } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import type { Logger } from '@shopflow/telemetry';
import type { InvoicesConfig } from './config.js';
import { EmailsConsumer } from './consuming/emails.consumer.js';
import { OrdersConsumer } from './consuming/orders.consumer.js';
import { CorrectInvoice } from './correct-invoice.js';
import { DraftInvoices } from './draft-invoices.js';
import { FollowDelivery } from './follow-delivery.js';
import { FollowOrder } from './follow-order.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { InvoicesController } from './http/invoices.controller.js';
import { ImportInvoice } from './import-invoice.js';
import { LOGGER } from './logger.js';
import { PayInvoice } from './pay-invoice.js';
import { SendInvoice } from './send-invoice.js';

@Module({})
export class InvoicesModule {
  static forRoot(this: void, config: InvoicesConfig, logger: Logger): DynamicModule {
    return {
      module: InvoicesModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'invoices' }),
        ConsumerModule.forRoot({ group: 'invoices', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger }),
      ],
      controllers: [OrdersConsumer, EmailsConsumer, InvoicesController, DeliveriesController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Outbox, useFactory: () => new Outbox('invoices') },
        { provide: DraftInvoices, useFactory: () => new DraftInvoices(config.invoiceDueDays) },
        FollowOrder,
        FollowDelivery,
        ImportInvoice,
        CorrectInvoice,
        PayInvoice,
        SendInvoice,
      ],
    };
  }
}
