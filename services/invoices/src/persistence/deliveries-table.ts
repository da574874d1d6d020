import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Delivery } from '../delivery.js';
import { DeliveryNotFound } from '../invoice-errors.js';
import type { Invoice } from '../invoice.js';

type Row = Omit<Delivery, 'deliveryId' | 'invoiceId' | 'createdAt' | 'changedAt'> & Record<'deliveryId' | 'invoiceId', string> & Times;
type Times = Record<'createdAt' | 'changedAt', Date>;

const COLUMNS = `
  d.id AS "deliveryId", d.invoice_id AS "invoiceId", i.number, d.status, d.attempts, d.provider_id AS "providerId", d.reason,
  d.correlation_id AS "correlationId", d.created_at AS "createdAt", d.changed_at AS "changedAt"`;

/** @returns undefined when the invoice has its delivery already */
export async function insertDelivery(tx: Transaction, invoice: Invoice, correlationId: string | null): Promise<number | undefined> {
  const { rows } = await sql<{ id: string }>(
    tx,
    `INSERT INTO deliveries (invoice_id, dedupe_key, organization_id, correlation_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
    [invoice.invoiceId, dedupeKey(invoice), invoice.organizationId, correlationId],
  );
  return rows[0] && Number(rows[0].id);
}

export async function deliveryOf(tx: Transaction, invoice: Invoice): Promise<Delivery | undefined> {
  const { rows } = await sql<Row>(tx, `SELECT ${COLUMNS} FROM deliveries d JOIN invoices i ON i.id = d.invoice_id WHERE dedupe_key = $1`, [
    dedupeKey(invoice),
  ]);
  return rows[0] && toDelivery(rows[0]);
}

/** @throws DeliveryNotFound, also for a delivery of another organization */
export async function findDelivery(database: Database, deliveryId: number, organizationId: string): Promise<Delivery> {
  const { rows } = await database.query<Row>(
    `SELECT ${COLUMNS} FROM deliveries d JOIN invoices i ON i.id = d.invoice_id WHERE d.id = $1 AND d.organization_id = $2`,
    [deliveryId, organizationId],
  );
  if (rows[0] === undefined) throw new DeliveryNotFound(deliveryId);
  return toDelivery(rows[0]);
}

/** Whose delivery it is; undefined when there is none. */
export async function ownerOfDelivery(
  tx: Transaction,
  deliveryId: number,
): Promise<{ invoiceId: number; organizationId: string } | undefined> {
  const { rows } = await sql<{ invoiceId: string; organizationId: string }>(
    tx,
    'SELECT invoice_id AS "invoiceId", organization_id AS "organizationId" FROM deliveries WHERE id = $1',
    [deliveryId],
  );
  return rows[0] && { ...rows[0], invoiceId: Number(rows[0].invoiceId) };
}

export type Progress = Pick<Delivery, 'status' | 'attempts' | 'providerId' | 'reason'>;

export async function saveProgress(tx: Transaction, deliveryId: number, { status, attempts, providerId, reason }: Progress): Promise<void> {
  await sql(tx, 'UPDATE deliveries SET status = $2, attempts = $3, provider_id = $4, reason = $5, changed_at = now() WHERE id = $1', [
    deliveryId,
    status,
    attempts,
    providerId,
    reason,
  ]);
}

const dedupeKey = ({ invoiceId }: Invoice) => `invoice:${invoiceId}`;

const toDelivery = ({ deliveryId, invoiceId, createdAt, changedAt, ...row }: Row): Delivery => ({
  ...row,
  deliveryId: Number(deliveryId),
  invoiceId: Number(invoiceId),
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
});
