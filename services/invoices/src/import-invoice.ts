import { Injectable } from '@nestjs/common';
import { Database, sql, type Transaction } from '@shopflow/database';
import type { Invoice } from './invoice.js';
import { InvoiceDiffers, OrderHasInvoice } from './invoice-errors.js';
import { COLUMNS, toInvoice } from './persistence/invoices-table.js';

/** An invoice of an old system. Its amount may be missing and its address may be none: old data is like that. */
export interface ImportedInvoice {
  readonly number: string;
  readonly customerEmail: string;
  readonly amountKobo: number | null;
  readonly dueOn: string;
  readonly orderId: string | null;
}

type Row = Parameters<typeof toInvoice>[0];

@Injectable()
export class ImportInvoice {
  constructor(private readonly database: Database) {}

  /**
   * Takes the invoice over as a draft. The same one again gives the same answer.
   * @throws InvoiceDiffers OrderHasInvoice
   */
  execute(organizationId: string, invoice: ImportedInvoice): Promise<Invoice> {
    return this.database.inTransaction(
      async (tx) => (await insert(tx, organizationId, invoice)) ?? (await repeat(tx, organizationId, invoice)),
    );
  }
}

async function insert(tx: Transaction, organizationId: string, invoice: ImportedInvoice): Promise<Invoice | undefined> {
  const { number, customerEmail, amountKobo, dueOn, orderId } = invoice;
  const { rows } = await sql<Row>(
    tx,
    `INSERT INTO invoices (number, organization_id, recipient, amount_kobo, due_on, order_id, imported)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [number, organizationId, customerEmail, amountKobo, dueOn, orderId, fingerprintOf(invoice)],
  );
  return rows[0] && toInvoice(rows[0]);
}

async function repeat(tx: Transaction, organizationId: string, invoice: ImportedInvoice): Promise<Invoice> {
  const { rows } = await sql<Row & { imported: string | null }>(
    tx,
    `SELECT ${COLUMNS}, imported::text FROM invoices WHERE organization_id = $1 AND number = $2`,
    [organizationId, invoice.number],
  );
  if (rows[0] === undefined) throw new OrderHasInvoice(String(invoice.orderId));
  const { imported, ...row } = rows[0];
  if (imported !== fingerprintOf(invoice)) throw new InvoiceDiffers(invoice.number);
  return toInvoice(row);
}

/** Every field in a fixed order, so that equal requests have equal text. */
const fingerprintOf = ({ number, customerEmail, amountKobo, dueOn, orderId }: ImportedInvoice) =>
  JSON.stringify({ number, customerEmail, amountKobo, dueOn, orderId });
