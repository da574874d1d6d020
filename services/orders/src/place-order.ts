import { Injectable } from '@nestjs/common';
import { orderCreated } from '@shopflow/contracts';
import { Database, type Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { answerOnce } from './answer-once.js';
import {
  createdEventId,
  decidePlacement,
  type NewOrder,
  type Order,
  type Placement,
  repeatPlacement,
  toOrder,
  toOrderCreated,
} from './order.js';
import { insertOrder, lockOrder } from './persistence/orders-table.js';

@Injectable()
export class PlaceOrder {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Order and event commit together or not at all. The same order id, or the same idempotency key, with the same content
   * gives the first result again.
   *
   * @throws OrderDiffers IdempotencyKeyReused
   */
  async execute(request: NewOrder, idempotencyKey?: string): Promise<Order> {
    const placement = decidePlacement(request);
    return this.database.inTransaction((tx) => answerOnce(tx, idempotencyKey, placement, () => this.place(tx, placement)));
  }

  private async place(tx: Transaction, placement: Placement): Promise<Order> {
    const order = await insertOrder(tx, placement);
    if (order === undefined) return repeatPlacement(await lockOrder(tx, placement.orderId!), placement);
    await this.outbox.append(tx, orderCreated, toOrderCreated(order), { eventId: createdEventId(order.orderId) });
    return toOrder(order);
  }
}
