import { Injectable } from '@nestjs/common';
import { type EventOf, invoiceVoided, type orderCancelled, type orderContactUpdated } from '@shopflow/contracts';
import { sql, type Transaction } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import type { ConsumedPlace } from './consuming/consumed-place.js';
import { CorrectInvoice } from './correct-invoice.js';
import { subjectOf } from './invoice.js';
import { lockInvoiceOfOrder, saveStatus } from './persistence/invoices-table.js';

/**
 * What happens to an order after it was placed, done to its invoice. It is kept too: an `order.created` that comes late, as from a dead
 * letter, finds it.
 */
@Injectable()
export class FollowOrder {
  constructor(
    private readonly outbox: Outbox,
    private readonly correction: CorrectInvoice,
  ) {}

  /** A paid invoice stays paid: what was paid is given back by people. */
  async cancel(tx: Transaction, { id, payload: { orderId } }: EventOf<typeof orderCancelled>): Promise<void> {
    await sql(tx, CANCELLED, [orderId]);
    const invoice = await lockInvoiceOfOrder(tx, orderId);
    if (invoice === undefined || invoice.status === 'paid' || invoice.status === 'void') return;
    await saveStatus(tx, invoice, 'void');
    const options = { eventId: `evt-invoice-${invoice.invoiceId}:voided`, causationId: id, organizationId: invoice.organizationId };
    await this.outbox.append(tx, invoiceVoided, subjectOf(invoice), options);
  }

  async correct(tx: Transaction, event: EventOf<typeof orderContactUpdated>, { partition, offset }: ConsumedPlace): Promise<void> {
    const { payload, time } = event;
    const given = { recipient: payload.customer.email, time, partition, offset };
    await sql(tx, CONTACT, [payload.orderId, given.recipient, time.toISOString(), partition, offset]);
    const invoice = await lockInvoiceOfOrder(tx, payload.orderId);
    if (invoice !== undefined) await this.correction.follow(tx, invoice, given);
  }
}

const CANCELLED = `
  INSERT INTO order_facts (order_id, cancelled) VALUES ($1, true)
  ON CONFLICT (order_id) DO UPDATE SET cancelled = true`;

// An event is late only if its time and its offset both say so: clocks and recreated topics may each mislead.
const CONTACT = `
  INSERT INTO order_facts AS known (order_id, email, occurred_at, source_partition, source_offset) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (order_id) DO UPDATE SET
    email = excluded.email, occurred_at = excluded.occurred_at,
    source_partition = excluded.source_partition, source_offset = excluded.source_offset
  WHERE known.occurred_at IS NULL OR excluded.occurred_at >= known.occurred_at
     OR (excluded.source_partition = known.source_partition AND excluded.source_offset > known.source_offset)`;
