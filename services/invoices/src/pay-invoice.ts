import { Injectable } from '@nestjs/common';
import { invoicePaid } from '@shopflow/contracts';
import { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { decidePayment, type Invoice, subjectOf } from './invoice.js';
import { type InvoiceKey, lockInvoice, savePayment } from './persistence/invoices-table.js';

@Injectable()
export class PayInvoice {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Marks the invoice as paid for good; a second time changes nothing and gives the same answer.
   *
   * @param paidOn UTC date
   * @throws InvoiceNotFound InvoiceIsVoid
   */
  execute(key: InvoiceKey, paidOn: string): Promise<Invoice> {
    return this.database.inTransaction(async (tx) => {
      const invoice = await lockInvoice(tx, key);
      if (!decidePayment(invoice)) return invoice;
      const paid = await savePayment(tx, invoice, paidOn);
      const options = { eventId: `evt-invoice-${paid.invoiceId}:paid`, organizationId: paid.organizationId };
      await this.outbox.append(tx, invoicePaid, { ...subjectOf(paid), paidOn }, options);
      return paid;
    });
  }
}
