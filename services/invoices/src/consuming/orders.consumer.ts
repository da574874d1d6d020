import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { DraftInvoices, type OrderToInvoice } from '../draft-invoices.js';
import { FollowOrder } from '../follow-order.js';

type OrderEvent = EventOf<typeof orderCreated> | EventOf<typeof orderContactUpdated> | EventOf<typeof orderCancelled>;

@Controller()
export class OrdersConsumer {
  constructor(
    private readonly drafts: DraftInvoices,
    private readonly changes: FollowOrder,
  ) {}

  // Orders first, in one statement: of one order its creation always comes before what happens to it.
  @SubscribeBatch(orderCreated, orderContactUpdated, orderCancelled)
  async follow(events: readonly OrderEvent[], { tx, records }: BatchContext): Promise<void> {
    const placed = events.map((event, index) => ({ event, ...placeOf(records[index]!) }));
    const created = placed.filter((each): each is OrderToInvoice => each.event.type === 'order.created');
    if (created.length > 0) await this.drafts.execute(tx, created);
    for (const { event, ...place } of placed) {
      if (event.type === 'order.contact-updated') await this.changes.correct(tx, event, place);
      if (event.type === 'order.cancelled') await this.changes.cancel(tx, event);
    }
  }
}

const placeOf = ({ partition, offset }: BatchContext['records'][number]) => ({ partition, offset });
