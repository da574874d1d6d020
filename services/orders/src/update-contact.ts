import { Injectable } from '@nestjs/common';
import { orderContactUpdated } from '@shopflow/contracts';
import { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { decideContact, type Order, type OrderRef, toOrder } from './order.js';
import { lockOrder, saveContact } from './persistence/orders-table.js';

@Injectable()
export class UpdateContact {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Corrects the contact; the same contact again changes nothing and tells nobody.
   * @throws OrderNotFound OrderIsCancelled
   */
  async execute(ref: OrderRef, change: { email: string; name?: string | null }): Promise<Order> {
    const { organizationId, orderId } = ref;
    return this.database.inTransaction(async (tx) => {
      const order = await lockOrder(tx, ref);
      const customer = decideContact(order, change);
      if (customer === undefined) return toOrder(order);
      const updated = await saveContact(tx, orderId, customer);
      await this.outbox.append(tx, orderContactUpdated, { orderId, customer }, { organizationId });
      return toOrder(updated);
    });
  }
}
