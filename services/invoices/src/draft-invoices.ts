import type { EventOf, orderCreated } from '@shopflow/contracts';
import { sql, type Transaction } from '@shopflow/database';
import type { ConsumedPlace } from './consuming/consumed-place.js';

export type OrderToInvoice = ConsumedPlace & { readonly event: EventOf<typeof orderCreated> };

/** Numbers that imported invoices have taken are passed over; each round takes at least one that is free. */
const ROUNDS = 1_000;

/** Drafts one invoice for each order, however often the order is told of. */
export class DraftInvoices {
  /** @param dueDays days from the order (UTC) until its invoice is due */
  constructor(private readonly dueDays: number) {}

  async execute(tx: Transaction, orders: readonly OrderToInvoice[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      if ((await this.draft(tx, orders)) === 0) return;
    }
    throw new Error(
      `no free invoice number after ${ROUNDS} rounds: imported invoices take them all; set the sequence invoice_numbers forward`,
    );
  }

  /** @returns how many orders are still without an invoice */
  private async draft(tx: Transaction, orders: readonly OrderToInvoice[]): Promise<number> {
    const column = <T>(of: (order: OrderToInvoice) => T) => orders.map(of);
    const { rows } = await sql<{ left: number }>(tx, DRAFT, [
      column(({ event }) => event.payload.orderId),
      column(({ event }) => event.organizationId),
      column(({ event }) => event.payload.customer.email),
      column(({ event }) => event.time.toISOString()),
      column(({ partition }) => partition),
      column(({ offset }) => offset),
      column(({ event }) => event.payload.totalKobo),
      column(({ event }) => event.correlationId),
      this.dueDays,
    ]);
    return rows[0]?.left ?? 0;
  }
}

const DRAFT = `
  WITH placed AS (
    SELECT DISTINCT ON (order_id) * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::bigint[], $7::bigint[], $8::text[])
      WITH ORDINALITY AS p (order_id, organization_id, email, time, partition, "offset", amount_kobo, correlation_id, place)
    ORDER BY order_id, place
  ), missing AS (
    SELECT p.* FROM placed p WHERE NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = p.order_id AND i.organization_id = p.organization_id)
  ), drafted AS (
    INSERT INTO invoices (number, organization_id, order_id, recipient, recipient_at, recipient_partition, recipient_offset,
                          amount_kobo, due_on, status, correlation_id)
    SELECT 'INV-' || CASE WHEN n < 10000 THEN lpad(n::text, 4, '0') ELSE n::text END, organization_id, order_id,
           coalesce(known_email, email), coalesce(known_at, time), coalesce(known_partition, partition), coalesce(known_offset, "offset"),
           amount_kobo, (time AT TIME ZONE 'UTC')::date + $9::int, CASE WHEN cancelled THEN 'void' ELSE 'draft' END, correlation_id
    FROM (
      SELECT m.*, nextval('invoice_numbers') AS n, coalesce(f.cancelled, false) AS cancelled, f.email AS known_email,
             f.occurred_at AS known_at, f.source_partition AS known_partition, f.source_offset AS known_offset
      FROM missing m LEFT JOIN order_facts f ON f.order_id = m.order_id ORDER BY m.place
    ) numbered
    ON CONFLICT DO NOTHING RETURNING order_id
  )
  SELECT ((SELECT count(*) FROM missing) - (SELECT count(*) FROM drafted))::int AS left`;
