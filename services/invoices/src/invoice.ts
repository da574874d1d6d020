import { InvoiceIsPaid, InvoiceIsVoid } from './invoice-errors.js';

// What may become of an invoice: decisions without database or clock.

/**
 * ```
 * draft ──send──► sending ──email.sent──► sent
 *   └────────────────┴──────────pay──────────┴──► paid      (final)
 *   └────────────────┴──order.cancelled──────┴──► void      (final)
 * ```
 * An invoice whose e-mail was given up stays `sending`: its delivery says `dead` and why.
 */
export type InvoiceStatus = 'draft' | 'sending' | 'sent' | 'paid' | 'void';

/** What its e-mail is made of. */
export interface Particulars {
  /** As given: old data may have something here that is no e-mail address. */
  readonly recipient: string;
  /** Kobo; null when the old system had none. */
  readonly amountKobo: number | null;
  /** UTC date, `2026-10-30`. */
  readonly dueOn: string;
}

/** An invoice as it stands. Times are ISO 8601 in UTC. */
export interface Invoice extends Particulars {
  readonly invoiceId: number;
  readonly number: string;
  readonly organizationId: string;
  readonly orderId: string | null;
  readonly status: InvoiceStatus;
  /** UTC date. */
  readonly paidOn: string | null;
  readonly createdAt: string;
}

export type Correction = { readonly [Field in keyof Particulars]?: Particulars[Field] | undefined };

/**
 * The corrected particulars, or undefined when nothing changes.
 * @throws InvoiceIsPaid InvoiceIsVoid when there is something to change and it is too late
 */
export function decideCorrection(invoice: Invoice, correction: Correction): Particulars | undefined {
  const { recipient = invoice.recipient, amountKobo = invoice.amountKobo, dueOn = invoice.dueOn } = correction;
  if (recipient === invoice.recipient && amountKobo === invoice.amountKobo && dueOn === invoice.dueOn) return undefined;
  if (invoice.status === 'paid') throw new InvoiceIsPaid(invoice.number);
  if (invoice.status === 'void') throw new InvoiceIsVoid(invoice.number);
  return { recipient, amountKobo, dueOn };
}

/** @returns false when it was paid before: then the first day stays. @throws InvoiceIsVoid */
export function decidePayment({ status, number }: Invoice): boolean {
  if (status === 'void') throw new InvoiceIsVoid(number);
  return status !== 'paid';
}

/** Other services know it: from then on they hear of its corrections. */
export const isIssued = ({ status }: Invoice): boolean => status === 'sending' || status === 'sent';

/** What every event about the invoice says. */
export const subjectOf = ({ orderId, invoiceId, number }: Invoice) => ({ orderId, invoiceId, number });

export const particularsOf = ({ recipient, amountKobo, dueOn }: Particulars): Particulars => ({ recipient, amountKobo, dueOn });
