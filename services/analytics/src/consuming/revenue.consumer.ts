import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCancelled, orderCreated } from '@shopflow/contracts';
import { Revenue } from '../revenue.js';

@Controller()
export class RevenueConsumer {
  constructor(private readonly revenue: Revenue) {}

  @SubscribeBatch(orderCreated)
  add(events: readonly EventOf<typeof orderCreated>[], { tx }: BatchContext): Promise<void> {
    return this.revenue.add(tx, events);
  }

  @SubscribeBatch(orderCancelled)
  subtract(events: readonly EventOf<typeof orderCancelled>[], { tx }: BatchContext): Promise<void> {
    return this.revenue.subtract(tx, events);
  }
}
