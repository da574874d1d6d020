import type { ServerResponse } from 'node:http';
import { Controller, Get, Headers, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { Database } from '@shopflow/database';
import { Organization, ValidBody } from '@shopflow/http';
import type { Static } from 'typebox';
import { CancelOrder } from '../cancel-order.js';
import { type Order, toOrder } from '../order.js';
import { findOrder } from '../persistence/orders-table.js';
import { PlaceOrder } from '../place-order.js';
import { UpdateContact } from '../update-contact.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { OrderIdPipe } from './order-id.pipe.js';
import { CancelRequest, ContactRequest, OrderRequest } from './requests.js';

@Controller('orders')
export class OrdersController {
  constructor(
    private readonly database: Database,
    private readonly placeOrder: PlaceOrder,
    private readonly updateContact: UpdateContact,
    private readonly cancelOrder: CancelOrder,
  ) {}

  @Post()
  async place(
    @Organization() organizationId: string,
    @ValidBody(OrderRequest) body: Static<typeof OrderRequest>,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<Order> {
    const order = await this.placeOrder.execute(organizationId, body, readIdempotencyKey(key));
    response.setHeader('location', `/orders/${order.orderId}`);
    return order;
  }

  @Get(':orderId')
  async find(@Organization() organizationId: string, @Param('orderId', OrderIdPipe) orderId: string): Promise<Order> {
    return toOrder(await findOrder(this.database, { organizationId, orderId }));
  }

  @Patch(':orderId/contact')
  correct(
    @Organization() organizationId: string,
    @Param('orderId', OrderIdPipe) orderId: string,
    @ValidBody(ContactRequest) contact: Static<typeof ContactRequest>,
  ): Promise<Order> {
    return this.updateContact.execute({ organizationId, orderId }, contact);
  }

  @Post(':orderId/cancel')
  @HttpCode(200)
  cancel(
    @Organization() organizationId: string,
    @Param('orderId', OrderIdPipe) orderId: string,
    @ValidBody(CancelRequest) { reason }: Static<typeof CancelRequest>,
  ): Promise<Order> {
    return this.cancelOrder.execute({ organizationId, orderId }, reason);
  }
}
