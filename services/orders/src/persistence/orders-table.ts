import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Contact, Order, OrderRef, Placement, StoredOrder } from '../order.js';
import { OrderNotFound } from '../order-errors.js';

interface Row {
  readonly id: string;
  readonly status: Order['status'];
  readonly email: string;
  readonly name: string | null;
  readonly placed_email: string;
  readonly placed_name: string | null;
  /** bigint comes as text; the API lets in safe integers alone. */
  readonly total_kobo: string;
  readonly currency: Order['currency'];
  readonly channel: Order['channel'];
  readonly created_at: Date;
  readonly cancelled_at: Date | null;
  readonly cancel_reason: string | null;
}

/** The new order, with an id of ours where none was given; undefined when the id is taken (waits for a placement in progress). */
export async function insertOrder(tx: Transaction, organizationId: string, placement: Placement): Promise<StoredOrder | undefined> {
  const { orderId, customer, totalKobo, currency, channel } = placement;
  const { rows } = await sql<Row>(
    tx,
    `INSERT INTO orders (id, email, name, placed_email, placed_name, total_kobo, currency, channel, organization_id)
     VALUES (coalesce($1, 'ORD-' || uuidv7()), $2, $3, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO NOTHING RETURNING *`,
    [orderId ?? null, customer.email, customer.name, totalKobo, currency, channel, organizationId],
  );
  return rows[0] && toStoredOrder(rows[0]);
}

/** @throws OrderNotFound */
export async function findOrder(database: Database, { organizationId, orderId }: OrderRef): Promise<StoredOrder> {
  const { rows } = await database.query<Row>('SELECT * FROM orders WHERE id = $1 AND organization_id = $2', [orderId, organizationId]);
  return foundOrder(rows, orderId);
}

/**
 * Holds the order until the transaction ends, so that its events commit in the order of its changes.
 * @throws OrderNotFound
 */
export async function lockOrder(tx: Transaction, { organizationId, orderId }: OrderRef): Promise<StoredOrder> {
  const text = 'SELECT * FROM orders WHERE id = $1 AND organization_id = $2 FOR UPDATE';
  const { rows } = await sql<Row>(tx, text, [orderId, organizationId]);
  return foundOrder(rows, orderId);
}

/** The order is locked, and so was its organization looked at. */
export async function saveContact(tx: Transaction, orderId: string, { email, name }: Contact): Promise<StoredOrder> {
  const { rows } = await sql<Row>(tx, 'UPDATE orders SET email = $2, name = $3 WHERE id = $1 RETURNING *', [orderId, email, name]);
  return foundOrder(rows, orderId);
}

export async function saveCancellation(tx: Transaction, orderId: string, reason: string | null): Promise<StoredOrder> {
  const text = `UPDATE orders SET status = 'cancelled', cancelled_at = now(), cancel_reason = $2 WHERE id = $1 RETURNING *`;
  const { rows } = await sql<Row>(tx, text, [orderId, reason]);
  return foundOrder(rows, orderId);
}

function foundOrder([row]: Row[], orderId: string): StoredOrder {
  if (row === undefined) throw new OrderNotFound(orderId);
  return toStoredOrder(row);
}

const toStoredOrder = (row: Row): StoredOrder => ({
  orderId: row.id,
  status: row.status,
  customer: { email: row.email, name: row.name },
  totalKobo: Number(row.total_kobo),
  currency: row.currency,
  channel: row.channel,
  createdAt: row.created_at.toISOString(),
  cancelledAt: row.cancelled_at?.toISOString() ?? null,
  cancelReason: row.cancel_reason,
  placedBy: { email: row.placed_email, name: row.placed_name },
});
