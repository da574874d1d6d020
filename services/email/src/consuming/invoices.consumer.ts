import { Controller, Inject } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, invoiceCorrected, invoiceIssued, invoicePaid, invoiceVoided } from '@shopflow/contracts';
import type { Logger } from '@shopflow/telemetry';
import { Invoices } from '../invoice/invoice.js';
import { type Owed, QueueDeliveries } from '../ledger/queue-deliveries.js';
import { LOGGER } from '../logger.js';
import { invoiceFactOf } from './invoice-fact.js';

type Issued = EventOf<typeof invoiceIssued>;
type InvoiceEvent = Issued | EventOf<typeof invoiceCorrected> | EventOf<typeof invoicePaid> | EventOf<typeof invoiceVoided>;
type Consumed = BatchContext['records'][number];

/** What the invoices service tells us becomes rows; nothing here waits for the mail provider. */
@Controller()
export class InvoicesConsumer {
  constructor(
    private readonly invoices: Invoices,
    private readonly deliveries: QueueDeliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SubscribeBatch(invoiceIssued, invoiceCorrected, invoicePaid, invoiceVoided)
  async follow(events: readonly InvoiceEvent[], { tx, records }: BatchContext): Promise<void> {
    const owed: Owed[] = [];
    for (const [index, event] of events.entries()) {
      const record = records[index]!;
      if (event.type === 'invoice.issued') owed.push(owedBy(event, record));
      if (event.type === 'invoice.issued' || event.type === 'invoice.corrected')
        await this.invoices.keepNewest(tx, invoiceFactOf(event, record));
      else await this.invoices.settle(tx, event.payload.invoiceId, event.type === 'invoice.paid' ? 'paid' : 'void');
    }
    const queued = new Set(await this.deliveries.execute(tx, owed));
    for (const { id, event } of owed) {
      const line = { delivery: id, eventId: event.id, correlationId: event.correlationId, organizationId: event.organizationId };
      this.logger.info(line, queued.has(id) ? 'invoice queued' : 'invoice was queued before');
    }
  }
}

const owedBy = (event: Issued, record: Consumed): Owed => ({
  id: event.payload.deliveryId,
  kind: 'invoice',
  dedupeKey: `invoice:${event.payload.invoiceId}`,
  orderId: event.payload.orderId,
  invoice: event.payload,
  event,
  record,
});
