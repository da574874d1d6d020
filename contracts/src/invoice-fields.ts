import Type from 'typebox';
import { Kobo, Nullable, OrderId, STORABLE } from './fields.js';

/** What people call an invoice, e.g. `INV-0001`. Also the Kafka key where there is no order. */
export const InvoiceNumber = Type.String({
  pattern: '^INV-[A-Za-z0-9._-]{1,60}$',
  description: 'Number of the invoice, as on the paper. Also the Kafka key of everything about an invoice without an order.',
});

/** A calendar date of the UTC calendar, e.g. `2026-10-05`. */
export const day = (description: string) => Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', description });

/** What every event about an invoice says. */
export const invoiceFields = {
  orderId: Nullable(OrderId),
  invoiceId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The invoice, within the invoices service.' }),
  number: InvoiceNumber,
};

/** What an e-mail about an invoice is made of. */
export const invoiceParticulars = {
  recipient: Type.String({
    pattern: `^${STORABLE}*$`,
    description: 'Where the invoice goes, as it was given: an imported invoice may have something here that is no e-mail address.',
  }),
  amountKobo: Nullable(Kobo),
  dueOn: day('Last day (UTC) on which the invoice is paid in time.'),
};

/** The delivery of an invoice, as the invoices service shows it. */
export const DeliveryOfInvoice = Type.String({
  pattern: '^delivery-[1-9]\\d{0,15}$',
  description: 'The delivery; also the Idempotency-Key at the mail provider. Never used again for another one.',
});

export const KindOfDelivery = Type.Enum(['invoice', 'reminder'], {
  description: 'What the e-mail is: the invoice itself, or a reminder of it.',
});
