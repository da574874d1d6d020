import { Injectable } from '@nestjs/common';
import { type EventOf, invoiceCorrected, invoiceVoided, type orderCancelled, type orderContactUpdated } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import type { ConsumedPlace } from './consuming/consumed-place.js';
import { isIssued, particularsOf, subjectOf } from './invoice.js';
import { followRecipients, voidInvoices } from './persistence/follow-orders.js';
import { keepCancellations, keepContacts } from './persistence/order-facts.js';

export type Cancelled = EventOf<typeof orderCancelled>;
export type ContactUpdated = ConsumedPlace & { readonly event: EventOf<typeof orderContactUpdated> };

/**
 * What happens to orders after they were placed, done to their invoices. It is kept too: an `order.created` that comes late, as from a
 * dead letter, finds it.
 */
@Injectable()
export class FollowOrder {
  constructor(private readonly outbox: Outbox) {}

  /** A paid invoice stays paid: what was paid is given back by people. */
  async cancel(tx: Transaction, cancelled: readonly Cancelled[]): Promise<void> {
    if (cancelled.length === 0) return;
    const causes = new Map(cancelled.map(({ id, payload }) => [payload.orderId, id]));
    await keepCancellations(tx, [...causes.keys()]);
    const orders = cancelled.map(({ payload: { orderId }, organizationId }) => ({ orderId, organizationId }));
    const voided = await voidInvoices(tx, orders);
    await this.outbox.appendAll(
      tx,
      invoiceVoided,
      voided.map((invoice) => ({
        payload: subjectOf(invoice),
        eventId: `evt-invoice-${invoice.invoiceId}:voided`,
        causationId: causes.get(invoice.orderId ?? '') ?? null,
        organizationId: invoice.organizationId,
      })),
    );
  }

  /** What is paid or void stays as it is, and so does an address that is known to be newer. Of one order the last contact counts. */
  async correct(tx: Transaction, updated: readonly ContactUpdated[]): Promise<void> {
    if (updated.length === 0) return;
    const newest = [...new Map(updated.map((each) => [each.event.payload.orderId, each])).values()];
    const contacts = newest.map(({ event, partition, offset }) => {
      const { organizationId, time, payload } = event;
      return { orderId: payload.orderId, organizationId, recipient: payload.customer.email, time, partition, offset };
    });
    await keepContacts(tx, contacts);
    // Of an invoice that was never issued nobody else has heard; it is issued with what it says then.
    const corrected = (await followRecipients(tx, contacts)).filter(isIssued);
    const told = corrected.map((invoice) => {
      return { payload: { ...subjectOf(invoice), ...particularsOf(invoice) }, organizationId: invoice.organizationId };
    });
    await this.outbox.appendAll(tx, invoiceCorrected, told);
  }
}
