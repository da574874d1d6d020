import { Injectable } from '@nestjs/common';
import { invoiceCorrected } from '@shopflow/contracts';
import { Database, type Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { type Correction, decideCorrection, type Invoice, isIssued, particularsOf, subjectOf } from './invoice.js';
import { type InvoiceKey, lockInvoice, saveCorrection } from './persistence/invoices-table.js';

/** Puts right what an invoice says. An e-mail that is still owed goes out with what is right when it is sent. */
@Injectable()
export class CorrectInvoice {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** By a person. @throws InvoiceNotFound; InvoiceIsPaid, InvoiceIsVoid when there is something to change */
  execute(key: InvoiceKey, correction: Correction): Promise<Invoice> {
    return this.database.inTransaction(async (tx) => {
      const invoice = await lockInvoice(tx, key);
      const particulars = decideCorrection(invoice, correction);
      if (particulars === undefined) return invoice;
      const corrected = await saveCorrection(tx, invoice, particulars);
      await this.tell(tx, corrected);
      return corrected;
    });
  }

  /** Of an invoice that was never issued nobody else has heard; it is issued with what it says then. */
  private async tell(tx: Transaction, invoice: Invoice): Promise<void> {
    if (!isIssued(invoice)) return;
    const payload = { ...subjectOf(invoice), ...particularsOf(invoice) };
    await this.outbox.append(tx, invoiceCorrected, payload, { organizationId: invoice.organizationId });
  }
}
