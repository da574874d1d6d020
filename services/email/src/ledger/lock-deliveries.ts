import { sql, type Transaction } from '@shopflow/database';
import type { Contact } from '../contact/contact.js';
import type { Invoice } from '../invoice/invoice.js';
import type { LeasedDelivery } from './delivery.js';

/** A row that nobody else can claim before the transaction ends. */
export interface LockedDelivery extends LeasedDelivery {
  /** Never started before. */
  readonly fresh: boolean;
}

/** Running rows whose lease ran out and that may not be started again. */
export const lockCrashed = (tx: Transaction, now: Date, maxStarts: number): Promise<LockedDelivery[]> =>
  lock(tx, `status = 'running' AND locked_until <= $1 AND claims >= $2 ORDER BY locked_until LIMIT 100`, [now, maxStarts]);

/** The running row whose lease ran out first; one at most. */
export const lockExpired = (tx: Transaction, now: Date): Promise<LockedDelivery[]> =>
  lock(tx, `status = 'running' AND locked_until <= $1 ORDER BY locked_until LIMIT 1`, [now]);

/** The queued rows that have waited longest. */
export const lockDue = (tx: Transaction, now: Date, limit: number): Promise<LockedDelivery[]> =>
  lock(tx, `status = 'queued' AND due_at <= $1 ORDER BY due_at, id LIMIT $2`, [now, limit]);

type Row = Omit<LockedDelivery, 'contact' | 'invoice' | 'lease'> & {
  worker: string;
  until: Date;
  contact: Contact | null;
  invoice: Invoice | null;
};

async function lock(tx: Transaction, which: string, values: unknown[]): Promise<LockedDelivery[]> {
  const { rows } = await sql<Row>(
    tx,
    `SELECT id, kind, d.number, d.order_id AS "orderId", organization_id AS "organizationId", cause_event_id AS "causeEventId",
            correlation_id AS "correlationId", traceparent, tracestate, attempts, claims, started_at IS NULL AS fresh,
            locked_by AS worker, locked_until AS until,
            CASE WHEN kind = 'receipt' THEN (SELECT ${CONTACT} FROM contacts c WHERE c.order_id = d.order_id) END AS contact,
            CASE WHEN kind <> 'receipt' THEN (SELECT ${INVOICE} FROM invoices i WHERE i.invoice_id = d.invoice_id) END AS invoice
     FROM deliveries d
     WHERE ${which} FOR UPDATE OF d SKIP LOCKED`,
    values,
  );
  return rows.map(({ worker, until, contact, invoice, ...delivery }) => ({
    ...delivery,
    lease: { worker, until },
    contact: contact ?? undefined,
    invoice: invoice ?? undefined,
  }));
}

const CONTACT = `json_build_object('email', c.email, 'name', c.name, 'eventId', c.event_id)`;

const INVOICE = `json_build_object(
  'invoiceId', i.invoice_id, 'number', i.number, 'recipient', i.recipient, 'amountKobo', i.amount_kobo, 'dueOn', i.due_on,
  'settled', (SELECT settled FROM settled_invoices s WHERE s.invoice_id = i.invoice_id), 'eventId', i.event_id)`;
