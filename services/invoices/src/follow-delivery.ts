import { Injectable } from '@nestjs/common';
import { invoiceDelivered, invoiceDeliveryFailed } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { decideProgress, deliveryIdOf, type EmailEvent, eventIdOf } from './delivery.js';
import { type Invoice, subjectOf } from './invoice.js';
import { deliveryOf, ownerOfDelivery, saveProgress } from './persistence/deliveries-table.js';
import { lockInvoice, saveStatus } from './persistence/invoices-table.js';

/** What the email service tells of a delivery, done to the delivery and its invoice in the caller's transaction. */
@Injectable()
export class FollowDelivery {
  constructor(private readonly outbox: Outbox) {}

  /** @returns false when it is no delivery of ours, or nothing changed */
  async execute(tx: Transaction, event: EmailEvent): Promise<boolean> {
    const deliveryId = event.payload.kind === 'invoice' ? deliveryIdOf(event.payload.deliveryId) : undefined;
    const owner = deliveryId === undefined ? undefined : await ownerOfDelivery(tx, deliveryId);
    if (deliveryId === undefined || owner === undefined) return false;
    const invoice = await lockInvoice(tx, owner); // the invoice first, as a request to send it does
    const delivery = await deliveryOf(tx, invoice);
    const progress = delivery?.deliveryId === deliveryId ? decideProgress(delivery.status, event) : undefined;
    if (progress === undefined) return false;
    await saveProgress(tx, deliveryId, progress);
    if (progress.status === 'sent' && invoice.status === 'sending') await saveStatus(tx, invoice, 'sent');
    await this.tell(tx, invoice, deliveryId, event);
    return true;
  }

  private async tell(tx: Transaction, invoice: Invoice, deliveryId: number, event: EmailEvent): Promise<void> {
    const payload = { ...subjectOf(invoice), deliveryId: eventIdOf(deliveryId), kind: 'invoice' as const };
    const options = { causationId: event.id, correlationId: event.correlationId, organizationId: invoice.organizationId };
    if (event.type === 'email.sent') await this.outbox.append(tx, invoiceDelivered, payload, options);
    if (event.type === 'email.failed')
      await this.outbox.append(tx, invoiceDeliveryFailed, { ...payload, reason: event.payload.reason }, options);
  }
}
