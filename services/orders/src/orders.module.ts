import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { CancelOrder } from './cancel-order.js';
import type { OrdersConfig } from './config.js';
import { OrdersController } from './http/orders.controller.js';
import { PlaceOrder } from './place-order.js';
import { UpdateContact } from './update-contact.js';

@Module({})
export class OrdersModule {
  static forRoot(this: void, { databaseUrl }: Pick<OrdersConfig, 'databaseUrl'>): DynamicModule {
    return {
      module: OrdersModule,
      imports: [DatabaseModule.forRoot({ url: databaseUrl, applicationName: 'orders' })],
      controllers: [OrdersController],
      providers: [PlaceOrder, UpdateContact, CancelOrder, { provide: Outbox, useFactory: () => new Outbox('orders') }],
    };
  }
}
