import { Controller, Inject } from '@nestjs/common';
import { BatchContext, EventContext, Subscribe, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import type { DrillSettings } from '../settings.js';
import { actOut } from './act-out.js';

export const SETTINGS = Symbol('drill settings');

/** One handler for each kind of key. */
@Controller()
export class DrillConsumer {
  constructor(@Inject(SETTINGS) private readonly settings: DrillSettings) {}

  @Subscribe(orderCreated)
  async each(event: EventOf<typeof orderCreated>, { tx }: EventContext): Promise<void> {
    await actOut(tx, event.id, this.settings);
  }

  @Subscribe(orderContactUpdated, { afterDeath: 'block' })
  async block(event: EventOf<typeof orderContactUpdated>, { tx }: EventContext): Promise<void> {
    await actOut(tx, event.id, this.settings);
  }

  @SubscribeBatch(orderCancelled)
  async batch(events: readonly EventOf<typeof orderCancelled>[], { tx }: BatchContext): Promise<void> {
    for (const { id } of events) await actOut(tx, id, this.settings);
  }
}
