import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { DraftInvoices, type OrderToInvoice } from '../draft-invoices.js';
import { type ContactUpdated, FollowOrder } from '../follow-order.js';

type OrderEvent = EventOf<typeof orderCreated> | EventOf<typeof orderContactUpdated> | EventOf<typeof orderCancelled>;

@Controller()
export class OrdersConsumer {
  constructor(
    private readonly drafts: DraftInvoices,
    private readonly changes: FollowOrder,
  ) {}

  // A statement for each kind, in the order in which they happen to one order.
  @SubscribeBatch(orderCreated, orderContactUpdated, orderCancelled)
  async follow(events: readonly OrderEvent[], { tx, records }: BatchContext): Promise<void> {
    const placed = events.map((event, index) => ({ event, ...placeOf(records[index]!) }));
    const created = placed.filter((each): each is OrderToInvoice => each.event.type === 'order.created');
    if (created.length > 0) await this.drafts.execute(tx, created);
    await this.changes.correct(
      tx,
      placed.filter((each): each is ContactUpdated => each.event.type === 'order.contact-updated'),
    );
    await this.changes.cancel(
      tx,
      events.filter((event) => event.type === 'order.cancelled'),
    );
  }
}

const placeOf = ({ partition, offset }: BatchContext['records'][number]) => ({ partition, offset });
