import { sql, type Transaction } from '@shopflow/database';
import type { Invoice } from '../invoice.js';
import { COLUMNS, toInvoice } from './invoices-table.js';
import { columnsOf, type TimedContact } from './order-facts.js';

type Row = Parameters<typeof toInvoice>[0];

/** Whose order: whoever imports an invoice may name the order of somebody else, and must see nothing of it. */
export interface OwnedOrder {
  readonly orderId: string;
  readonly organizationId: string;
}

/** @returns those that are void now and were not before */
export async function voidInvoices(tx: Transaction, orders: readonly OwnedOrder[]): Promise<Invoice[]> {
  const { rows } = await sql<Row>(
    tx,
    `UPDATE invoices SET status = 'void' FROM unnest($1::text[], $2::text[]) AS cancelled (placed, owner)
     WHERE order_id = cancelled.placed AND organization_id = cancelled.owner AND status IN ('draft', 'sending', 'sent')
     RETURNING ${COLUMNS}`,
    [orders.map(({ orderId }) => orderId), orders.map(({ organizationId }) => organizationId)],
  );
  return rows.map(toInvoice);
}

/** @returns those with another recipient than before: a late event must not undo what is known to be newer */
export async function followRecipients(tx: Transaction, contacts: readonly TimedContact[]): Promise<Invoice[]> {
  const { rows } = await sql<Row & { changed: boolean }>(tx, FOLLOW, [
    ...columnsOf(contacts),
    contacts.map(({ organizationId }) => organizationId),
  ]);
  return rows.filter(({ changed }) => changed).map(({ changed: _changed, ...row }) => toInvoice(row));
}

const FOLLOW = `
  UPDATE invoices SET recipient = given.address, recipient_at = given.at, recipient_partition = given.part, recipient_offset = given.place
  FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::bigint[], $6::text[])
    AS given (placed, address, at, part, place, owner)
  WHERE order_id = given.placed AND organization_id = given.owner AND status IN ('draft', 'sending', 'sent')
    AND (given.at >= recipient_at OR (recipient_partition = given.part AND given.place > recipient_offset))
  RETURNING old.recipient <> new.recipient AS changed, ${COLUMNS}`;
