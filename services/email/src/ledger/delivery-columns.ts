import type { Contact } from '../contact/contact.js';
import type { Invoice } from '../invoice/invoice.js';
import type { LeasedDelivery } from './delivery.js';

/** A running delivery as {@link DELIVERY_COLUMNS} give it. */
export type DeliveryRow = Omit<LeasedDelivery, 'contact' | 'invoice' | 'lease'> & {
  holder: string;
  until: Date;
  contact: Contact | null;
  invoice: Invoice | null;
};

const CONTACT = `json_build_object('email', c.email, 'name', c.name, 'eventId', c.event_id)`;

const INVOICE = `json_build_object(
  'invoiceId', i.invoice_id, 'number', i.number, 'recipient', i.recipient, 'amountKobo', i.amount_kobo, 'dueOn', i.due_on,
  'settled', (SELECT settled FROM settled_invoices s WHERE s.invoice_id = i.invoice_id), 'eventId', i.event_id)`;

/** Of `deliveries d`, with what its e-mail is made of as it is now. */
export const DELIVERY_COLUMNS = `
  d.id, d.kind, d.number, d.order_id AS "orderId", d.organization_id AS "organizationId", d.cause_event_id AS "causeEventId",
  d.correlation_id AS "correlationId", d.traceparent, d.tracestate, d.attempts, d.claims,
  d.locked_by AS holder, d.locked_until AS until,
  CASE WHEN d.kind = 'receipt' THEN (SELECT ${CONTACT} FROM contacts c WHERE c.order_id = d.order_id) END AS contact,
  CASE WHEN d.kind <> 'receipt' THEN (SELECT ${INVOICE} FROM invoices i WHERE i.invoice_id = d.invoice_id) END AS invoice`;

export const leasedFrom = ({ holder, until, contact, invoice, ...delivery }: DeliveryRow): LeasedDelivery => ({
  ...delivery,
  lease: { holder, until },
  contact: contact ?? undefined,
  invoice: invoice ?? undefined,
});
