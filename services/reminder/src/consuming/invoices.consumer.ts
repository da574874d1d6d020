import { Controller } from '@nestjs/common';
import { EventContext, Subscribe } from '@shopflow/consumer';
import { type EventOf, invoiceCorrected, invoiceDelivered, invoiceIssued, invoicePaid, invoiceVoided } from '@shopflow/contracts';
import { type InvoiceSubject, keepParticulars, mark } from '../persistence/invoices-table.js';

/**
 * What the invoices service tells becomes our own picture of it, whatever the order in which it comes. An invoice whose e-mail
 * was given up is not subscribed: nobody is reminded of what never reached them.
 */
@Controller()
export class InvoicesConsumer {
  @Subscribe(invoiceIssued, invoiceCorrected)
  keep(event: EventOf<typeof invoiceIssued> | EventOf<typeof invoiceCorrected>, { tx, partition, offset }: EventContext): Promise<void> {
    const { recipient, amountKobo, dueOn } = event.payload;
    return keepParticulars(tx, { ...subjectOf(event), recipient, amountKobo, dueOn, time: event.time, partition, offset });
  }

  @Subscribe(invoiceDelivered)
  async onDelivered(event: EventOf<typeof invoiceDelivered>, { tx }: EventContext): Promise<void> {
    if (event.payload.kind === 'invoice') await mark(tx, subjectOf(event), 'delivered');
  }

  @Subscribe(invoicePaid)
  onPaid(event: EventOf<typeof invoicePaid>, { tx }: EventContext): Promise<void> {
    return mark(tx, subjectOf(event), 'paid');
  }

  @Subscribe(invoiceVoided)
  onVoided(event: EventOf<typeof invoiceVoided>, { tx }: EventContext): Promise<void> {
    return mark(tx, subjectOf(event), 'voided');
  }
}

interface AboutInvoice {
  readonly organizationId: string;
  readonly payload: Omit<InvoiceSubject, 'organizationId'>;
}

const subjectOf = ({ organizationId, payload: { invoiceId, number, orderId } }: AboutInvoice): InvoiceSubject => ({
  invoiceId,
  number,
  orderId,
  organizationId,
});
