import { Controller, Inject } from '@nestjs/common';
import { EventContext, Subscribe } from '@shopflow/consumer';
import { type EventOf, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import type { Logger } from '@shopflow/telemetry';
import { Contacts } from '../contact/contact.js';
import { type Owed, QueueDeliveries } from '../ledger/queue-deliveries.js';
import { ReviveDelivery } from '../ledger/revive-delivery.js';
import { LOGGER } from '../logger.js';

/**
 * What orders tell us becomes rows; nothing here waits for the mail provider. A cancellation is not subscribed: a receipt
 * confirms that the order was placed, which stays true, and what is owed after a cancellation is an e-mail of its own.
 */
@Controller()
export class OrdersConsumer {
  constructor(
    private readonly contacts: Contacts,
    private readonly deliveries: QueueDeliveries,
    private readonly revival: ReviveDelivery,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Subscribe(orderCreated)
  async onOrderCreated(event: EventOf<typeof orderCreated>, { tx, record }: EventContext): Promise<void> {
    await this.contacts.keepFirst(tx, factOf(event, record));
    const queued = await this.deliveries.execute(tx, [receiptOf(event, record)]);
    this.logger.info({ delivery: event.id }, queued.length > 0 ? 'receipt queued' : 'receipt was queued before');
  }

  @Subscribe(orderContactUpdated)
  async onContactUpdated(event: EventOf<typeof orderContactUpdated>, { tx, record }: EventContext): Promise<void> {
    const corrected = await this.contacts.correct(tx, factOf(event, record));
    if (!corrected) return this.logger.warn('a newer contact is known; the late one is ignored');
    const revived = await this.revival.reviveReceipt(tx, event.payload.orderId, {
      who: `event ${event.id}`,
      why: 'the contact was corrected',
    });
    if (revived !== undefined) this.logger.info({ delivery: revived }, 'receipt queued again: the contact was corrected');
  }
}

const receiptOf = (event: EventOf<typeof orderCreated>, record: EventContext['record']): Owed => ({
  id: event.id,
  kind: 'receipt',
  dedupeKey: `receipt:${event.id}`,
  orderId: event.payload.orderId,
  invoice: null,
  event,
  record,
});

type ContactEvent = EventOf<typeof orderCreated> | EventOf<typeof orderContactUpdated>;

const factOf = ({ id, time, payload }: ContactEvent, { partition, offset }: EventContext['record']) => ({
  orderId: payload.orderId,
  email: payload.customer.email,
  name: payload.customer.name,
  eventId: id,
  time,
  partition,
  offset,
});
