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
  type OrderRef,
  type Placement,
  repeatPlacement,
  toOrder,
  toOrderCreated,
} from './order.js';
import { OrderDiffers, OrderNotFound } from './order-errors.js';
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
  async execute(organizationId: string, request: NewOrder, idempotencyKey?: string): Promise<Order> {
    const placement = decidePlacement(request);
    const key = idempotencyKey === undefined ? undefined : { organizationId, key: idempotencyKey };
    return this.database.inTransaction((tx) => answerOnce(tx, key, placement, () => this.place(tx, organizationId, placement)));
  }

  private async place(tx: Transaction, organizationId: string, placement: Placement): Promise<Order> {
    const order = await insertOrder(tx, organizationId, placement);
    if (order === undefined) return this.repeat(tx, { organizationId, orderId: placement.orderId! }, placement);
    await this.outbox.append(tx, orderCreated, toOrderCreated(order), { eventId: createdEventId(order.orderId), organizationId });
    return toOrder(order);
  }

  /** An id that another organization has taken is taken: nothing is said of its order. */
  private async repeat(tx: Transaction, ref: OrderRef, placement: Placement): Promise<Order> {
    const existing = await lockOrder(tx, ref).catch((error: unknown) => {
      throw error instanceof OrderNotFound ? new OrderDiffers(ref.orderId) : error;
    });
    return repeatPlacement(existing, placement);
  }
}
