import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Invoice, Particulars } from '../invoice.js';
import { InvoiceNotFound } from '../invoice-errors.js';

/** bigint comes as text; what we let in fits a number. */
type Row = Omit<Invoice, 'invoiceId' | 'amountKobo' | 'createdAt'> & { invoiceId: string; amountKobo: string | null; createdAt: Date };

export const COLUMNS = `
  id AS "invoiceId", number, organization_id AS "organizationId", order_id AS "orderId", recipient, amount_kobo AS "amountKobo",
  due_on::text AS "dueOn", status, paid_on::text AS "paidOn", created_at AS "createdAt"`;

/** Whose invoice it is; another organization's is not there. */
export interface InvoiceKey {
  readonly invoiceId: number;
  readonly organizationId: string;
}

/** @throws InvoiceNotFound */
export async function findInvoice(database: Database, { invoiceId, organizationId }: InvoiceKey): Promise<Invoice> {
  const { rows } = await database.query<Row>(`SELECT ${COLUMNS} FROM invoices WHERE id = $1 AND organization_id = $2`, [
    invoiceId,
    organizationId,
  ]);
  return found(rows, invoiceId);
}

/** The newest first. */
export async function listInvoices(database: Database, organizationId: string, limit: number, status?: string): Promise<Invoice[]> {
  const { rows } = await database.query<Row>(
    `SELECT ${COLUMNS} FROM invoices WHERE organization_id = $1 AND ($2::text IS NULL OR status = $2) ORDER BY id DESC LIMIT $3`,
    [organizationId, status ?? null, limit],
  );
  return rows.map(toInvoice);
}

/**
 * Holds the invoice until the transaction ends, so that its events commit in the order of its changes.
 * @throws InvoiceNotFound
 */
export async function lockInvoice(tx: Transaction, { invoiceId, organizationId }: InvoiceKey): Promise<Invoice> {
  const { rows } = await sql<Row>(tx, `SELECT ${COLUMNS} FROM invoices WHERE id = $1 AND organization_id = $2 FOR UPDATE`, [
    invoiceId,
    organizationId,
  ]);
  return found(rows, invoiceId);
}

export async function saveStatus(tx: Transaction, { invoiceId }: Invoice, status: Exclude<Invoice['status'], 'paid'>): Promise<void> {
  await sql(tx, 'UPDATE invoices SET status = $2 WHERE id = $1', [invoiceId, status]);
}

export async function savePayment(tx: Transaction, { invoiceId }: Invoice, paidOn: string): Promise<Invoice> {
  const { rows } = await sql<Row>(tx, `UPDATE invoices SET status = 'paid', paid_on = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [
    invoiceId,
    paidOn,
  ]);
  return found(rows, invoiceId);
}

/** A correction by a person is newer than every event so far. */
export async function saveCorrection(
  tx: Transaction,
  { invoiceId }: Invoice,
  { recipient, amountKobo, dueOn }: Particulars,
): Promise<Invoice> {
  const { rows } = await sql<Row>(
    tx,
    `UPDATE invoices SET amount_kobo = $3, due_on = $4, recipient = $2,
       recipient_at = CASE WHEN recipient = $2 THEN recipient_at ELSE now() END,
       recipient_partition = CASE WHEN recipient = $2 THEN recipient_partition ELSE -1 END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [invoiceId, recipient, amountKobo, dueOn],
  );
  return found(rows, invoiceId);
}

function found([row]: Row[], invoiceId: number): Invoice {
  if (row === undefined) throw new InvoiceNotFound(invoiceId);
  return toInvoice(row);
}

export const toInvoice = ({ invoiceId, amountKobo, createdAt, ...row }: Row): Invoice => ({
  ...row,
  invoiceId: Number(invoiceId),
  amountKobo: amountKobo === null ? null : Number(amountKobo),
  createdAt: createdAt.toISOString(),
});
