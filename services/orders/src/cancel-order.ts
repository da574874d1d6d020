import { Injectable } from '@nestjs/common';
import { orderCancelled } from '@shopflow/contracts';
import { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { cancelledEventId, decideCancellation, type Order, type OrderRef, toOrder } from './order.js';
import { lockOrder, saveCancellation } from './persistence/orders-table.js';

@Injectable()
export class CancelOrder {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Cancels the order for good; a second time changes nothing and gives the same answer.
   * @throws OrderNotFound
   */
  async execute(ref: OrderRef, givenReason?: string | null): Promise<Order> {
    const { organizationId, orderId } = ref;
    return this.database.inTransaction(async (tx) => {
      const order = await lockOrder(tx, ref);
      const decision = decideCancellation(order, givenReason);
      if (decision === undefined) return toOrder(order);
      const cancelled = await saveCancellation(tx, orderId, decision.reason);
      const payload = { orderId, reason: decision.reason };
      await this.outbox.append(tx, orderCancelled, payload, { eventId: cancelledEventId(orderId), organizationId });
      return toOrder(cancelled);
    });
  }
}
