import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCancelled, orderCreated } from '@shopflow/contracts';
import { Revenue } from '../revenue.js';

@Controller()
export class RevenueConsumer {
  constructor(private readonly revenue: Revenue) {}

  // One subscription for both, so that a mixed chunk is one batch and writes each day once, in one order.
  @SubscribeBatch(orderCreated, orderCancelled)
  count(events: readonly (EventOf<typeof orderCreated> | EventOf<typeof orderCancelled>)[], { tx }: BatchContext): Promise<void> {
    return this.revenue.count(tx, events);
  }
}
