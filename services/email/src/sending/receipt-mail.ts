import type { Contact } from '../contact/contact.js';
import type { Mail } from './mail.js';

/** The receipt of an order, to the contact as it is now. A name that nobody recorded is not made up. */
export function receiptMail(orderId: string, { email, name }: Pick<Contact, 'email' | 'name'>): Mail {
  const known = name?.trim();
  const greeting = known ? `Hi ${known}` : 'Hello';
  return { to: email, subject: `Order ${orderId} is confirmed`, text: `${greeting}, order ${orderId} is confirmed` };
}
