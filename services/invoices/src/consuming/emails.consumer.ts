import { Controller, Inject } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { emailFailed, emailSent, emailStarted } from '@shopflow/contracts';
import type { Logger } from '@shopflow/telemetry';
import type { EmailEvent } from '../delivery.js';
import { FollowDelivery } from '../follow-delivery.js';
import { LOGGER } from '../logger.js';

@Controller()
export class EmailsConsumer {
  constructor(
    private readonly deliveries: FollowDelivery,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Most e-mails are receipts, which are nobody's invoice; they cost nothing here. */
  @SubscribeBatch(emailStarted, emailSent, emailFailed)
  async follow(events: readonly EmailEvent[], { tx }: BatchContext): Promise<void> {
    for (const event of events) {
      if (!(await this.deliveries.execute(tx, event))) continue;
      const { id: eventId, correlationId, organizationId } = event;
      const line = { delivery: event.payload.deliveryId, eventId, correlationId, organizationId };
      this.logger.info(line, `delivery follows ${event.type}`);
    }
  }
}
