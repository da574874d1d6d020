import { Inject, Injectable } from '@nestjs/common';
import { invoiceIssued } from '@shopflow/contracts';
import { Database, type Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { currentContext, type Logger } from '@shopflow/telemetry';
import { type Delivery, eventIdOf } from './delivery.js';
import { type Invoice, particularsOf, subjectOf } from './invoice.js';
import { InvoiceIsPaid, InvoiceIsVoid } from './invoice-errors.js';
import { LOGGER } from './logger.js';
import { deliveryOf, insertDelivery } from './persistence/deliveries-table.js';
import { type InvoiceKey, lockInvoice, saveStatus } from './persistence/invoices-table.js';

@Injectable()
export class SendInvoice {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records that the invoice is to be sent, once, however often and by however many it is asked at the same moment.
   *
   * @returns its delivery, the same every time
   * @throws InvoiceNotFound; InvoiceIsVoid, InvoiceIsPaid when it was never asked for before
   */
  async execute(key: InvoiceKey): Promise<Delivery> {
    const { delivery, created } = await this.database.inTransaction((tx) => this.request(tx, key));
    const line = { delivery: delivery.deliveryId, invoice: key.invoiceId };
    this.logger.info(line, created ? 'delivery requested' : 'already requested');
    return delivery;
  }

  private async request(tx: Transaction, key: InvoiceKey): Promise<{ delivery: Delivery; created: boolean }> {
    const invoice = await lockInvoice(tx, key);
    if (invoice.status === 'paid' || invoice.status === 'void') return { delivery: await repeated(tx, invoice), created: false };
    const deliveryId = await insertDelivery(tx, invoice, currentContext().correlationId ?? null);
    if (deliveryId !== undefined) await this.issue(tx, invoice, deliveryId);
    const delivery = await deliveryOf(tx, invoice);
    if (delivery === undefined) throw new Error(`invoice ${invoice.invoiceId} has lost its delivery`);
    return { delivery, created: deliveryId !== undefined };
  }

  private async issue(tx: Transaction, invoice: Invoice, deliveryId: number): Promise<void> {
    await saveStatus(tx, invoice, 'sending');
    const id = eventIdOf(deliveryId);
    const payload = { ...subjectOf(invoice), deliveryId: id, ...particularsOf(invoice) };
    await this.outbox.append(tx, invoiceIssued, payload, { eventId: `evt-${id}`, organizationId: invoice.organizationId });
  }
}

/** What was asked for before keeps its answer, whatever became of the invoice since. */
async function repeated(tx: Transaction, invoice: Invoice): Promise<Delivery> {
  const delivery = await deliveryOf(tx, invoice);
  if (delivery !== undefined) return delivery;
  throw invoice.status === 'paid' ? new InvoiceIsPaid(invoice.number) : new InvoiceIsVoid(invoice.number);
}
