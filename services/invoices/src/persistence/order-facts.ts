import { sql, type Transaction } from '@shopflow/database';

/** The address of an order's customer as an event told it, and where that event stands in the history of the order. */
export interface TimedContact {
  readonly orderId: string;
  /** Whose order it is. */
  readonly organizationId: string;
  readonly recipient: string;
  readonly time: Date;
  readonly partition: number;
  readonly offset: number;
}

export async function keepCancellations(tx: Transaction, orderIds: readonly string[]): Promise<void> {
  await sql(
    tx,
    `INSERT INTO order_facts (order_id, cancelled) SELECT unnest($1::text[]), true
     ON CONFLICT (order_id) DO UPDATE SET cancelled = true`,
    [orderIds],
  );
}

/** @param contacts one of each order */
export async function keepContacts(tx: Transaction, contacts: readonly TimedContact[]): Promise<void> {
  await sql(tx, KEEP_CONTACTS, columnsOf(contacts));
}

/** For `unnest` of five arrays. */
export const columnsOf = (contacts: readonly TimedContact[]): unknown[][] => [
  contacts.map(({ orderId }) => orderId),
  contacts.map(({ recipient }) => recipient),
  contacts.map(({ time }) => time.toISOString()),
  contacts.map(({ partition }) => partition),
  contacts.map(({ offset }) => offset),
];

// An event is late only if its time and its offset both say so: clocks and recreated topics may each mislead.
const KEEP_CONTACTS = `
  INSERT INTO order_facts AS known (order_id, email, occurred_at, source_partition, source_offset)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::bigint[])
  ON CONFLICT (order_id) DO UPDATE SET
    email = excluded.email, occurred_at = excluded.occurred_at,
    source_partition = excluded.source_partition, source_offset = excluded.source_offset
  WHERE known.occurred_at IS NULL OR excluded.occurred_at >= known.occurred_at
     OR (excluded.source_partition = known.source_partition AND excluded.source_offset > known.source_offset)`;
