import { Controller, Inject } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, reminderRaised } from '@shopflow/contracts';
import type { Logger } from '@shopflow/telemetry';
import { Invoices } from '../invoice/invoice.js';
import { type Owed, QueueDeliveries } from '../ledger/queue-deliveries.js';
import { LOGGER } from '../logger.js';
import { invoiceFactOf } from './invoice-fact.js';

type Raised = EventOf<typeof reminderRaised>;

@Controller()
export class RemindersConsumer {
  constructor(
    private readonly invoices: Invoices,
    private readonly deliveries: QueueDeliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SubscribeBatch(reminderRaised)
  async queue(events: readonly Raised[], { tx, records }: BatchContext): Promise<void> {
    for (const [index, event] of events.entries()) await this.invoices.keepFirst(tx, invoiceFactOf(event, records[index]!));
    const owed = events.map((event, index) => owedBy(event, records[index]!));
    const queued = new Set(await this.deliveries.execute(tx, owed));
    for (const { id, event } of owed) {
      const line = { delivery: id, eventId: event.id, correlationId: event.correlationId, organizationId: event.organizationId };
      this.logger.info(line, queued.has(id) ? 'reminder queued' : 'reminder was queued before');
    }
  }
}

const owedBy = (event: Raised, record: BatchContext['records'][number]): Owed => ({
  id: event.payload.reminderId,
  kind: 'reminder',
  dedupeKey: event.payload.reminderId,
  orderId: event.payload.orderId,
  invoice: event.payload,
  event,
  record,
});
