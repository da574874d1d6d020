import { sql, type Transaction } from '@shopflow/database';

/** Which invoice an event is about. */
export interface InvoiceSubject {
  readonly invoiceId: number;
  readonly number: string;
  readonly orderId: string | null;
  readonly organizationId: string;
}

/** What an invoice says, and the place of the event that said so: when it happened, where it lies in Kafka. */
export interface ParticularsFact extends InvoiceSubject {
  readonly recipient: string;
  /** Kobo; null when nobody knows. */
  readonly amountKobo: number | null;
  /** UTC date, `2026-10-30`. */
  readonly dueOn: string;
  readonly time: Date;
  readonly partition: number;
  readonly offset: number;
}

/** Keeps the particulars, unless newer ones are known: a late event (from a dead letter, say) must not undo a correction. */
export async function keepParticulars(tx: Transaction, fact: ParticularsFact): Promise<void> {
  const { recipient, amountKobo, dueOn, time, partition, offset } = fact;
  const values = [...subjectOf(fact), recipient, amountKobo, dueOn, time.toISOString(), partition, offset];
  await sql(tx, KEEP_PARTICULARS, values);
}

/** What can happen to an invoice, in the columns' names. None of it is ever taken back. */
export type Milestone = 'delivered' | 'paid' | 'voided';

/** Also for an invoice that nothing was heard of before. */
export async function mark(tx: Transaction, invoice: InvoiceSubject, milestone: Milestone): Promise<void> {
  await sql(tx, MARK, [...subjectOf(invoice), milestone === 'delivered', milestone === 'paid', milestone === 'voided']);
}

const subjectOf = ({ invoiceId, number, orderId, organizationId }: InvoiceSubject) => [invoiceId, number, orderId, organizationId];

// Times are those of the producer's transactions and may stand in another order than its commits, offsets begin anew when a
// topic is made again: an event is late only if both say so.
const KEEP_PARTICULARS = `
  INSERT INTO invoices AS known (invoice_id, number, order_id, organization_id, recipient, amount_kobo, due_on,
                                 occurred_at, source_partition, source_offset)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (invoice_id) DO UPDATE SET
    recipient = excluded.recipient, amount_kobo = excluded.amount_kobo, due_on = excluded.due_on,
    occurred_at = excluded.occurred_at, source_partition = excluded.source_partition, source_offset = excluded.source_offset
  WHERE known.occurred_at IS NULL OR excluded.occurred_at >= known.occurred_at
     OR (excluded.source_partition = known.source_partition AND excluded.source_offset > known.source_offset)`;

const MARK = `
  INSERT INTO invoices AS known (invoice_id, number, order_id, organization_id, delivered, paid, voided)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (invoice_id) DO UPDATE SET
    delivered = known.delivered OR excluded.delivered, paid = known.paid OR excluded.paid, voided = known.voided OR excluded.voided`;
