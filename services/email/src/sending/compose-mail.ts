import type { Contact } from '../contact/contact.js';
import type { Invoice } from '../invoice/invoice.js';
import type { ClaimedDelivery } from '../ledger/delivery.js';
import type { Mail } from './mail.js';

/** Nothing is to be sent, now or later. The message says why, for a person. */
export class NotOwedError extends Error {
  override readonly name = 'NotOwedError';
}

/** The e-mail cannot be written from what is known. The message says what to put right. */
export class IncompleteDataError extends Error {
  override readonly name = 'IncompleteDataError';
}

/**
 * The e-mail of a delivery, from what is known when it is sent.
 * @throws NotOwedError IncompleteDataError
 */
export function composeMail({ kind, orderId, number, contact, invoice }: ClaimedDelivery): Mail {
  if (kind === 'receipt') {
    if (contact === undefined) throw new NotOwedError(`no contact is known for order ${orderId}`);
    return receiptMail(String(orderId), contact);
  }
  if (invoice === undefined) throw new NotOwedError(`nothing is known of invoice ${number}`);
  return invoiceMail(kind, invoice);
}

/** The receipt of an order, to the contact as it is now. A name that nobody recorded is not made up. */
export function receiptMail(orderId: string, { email, name }: Pick<Contact, 'email' | 'name'>): Mail {
  const known = name?.trim();
  const greeting = known ? `Hi ${known}` : 'Hello';
  return { to: email, subject: `Order ${orderId} is confirmed`, text: `${greeting}, order ${orderId} is confirmed` };
}

/** The invoice itself, or a reminder of it. A void invoice is sent to nobody, and nobody is reminded of what is paid. */
export function invoiceMail(kind: 'invoice' | 'reminder', invoice: Omit<Invoice, 'eventId'>): Mail {
  const { invoiceId, number, recipient, amountKobo, dueOn, settled } = invoice;
  if (settled === 'void') throw new NotOwedError(`invoice ${number} is void: its order was cancelled, nothing is owed`);
  if (settled === 'paid' && kind === 'reminder') throw new NotOwedError(`invoice ${number} is paid: there is nothing to remind of`);
  if (amountKobo === null) throw new IncompleteDataError(missingAmount(invoiceId, number));
  const subject = kind === 'reminder' ? `Reminder: ${number} is overdue` : `Invoice ${number}`;
  return { to: recipient, subject, text: `Amount due: ${amountKobo.toLocaleString('en-NG')} kobo, by ${dueOn}` };
}

const missingAmount = (invoiceId: number, number: string) =>
  `invoice ${number} has no amount: set amountKobo with PATCH /invoices/${invoiceId}, then replay the delivery`;
