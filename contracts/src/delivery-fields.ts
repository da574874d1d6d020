import Type from 'typebox';
import { Nullable, OrderId, text } from './fields.js';
import { InvoiceNumber } from './invoice-fields.js';

/** What every event about one e-mail delivery says. */
export const deliveryFields = {
  orderId: OrderId,
  deliveryId: text('The delivery: the event id for a receipt, else the id that the requesting service gave it.', 200),
  kind: Type.Enum(['receipt', 'invoice', 'reminder'], { description: 'What the e-mail is about.' }),
  causeEventId: text('Id of the event that asked for this e-mail.', 200),
};

export const Attempts = Type.Integer({ minimum: 0, description: 'Calls to the mail provider that were charged to this delivery.' });

/** Added with invoices and reminders. */
export const aboutInvoice = {
  orderId: Nullable(OrderId),
  number: Nullable(InvoiceNumber),
};
