import { sql, type Transaction } from '@shopflow/database';
import { Injectable } from '@nestjs/common';

/** What an e-mail about an invoice is made of, as the newest event about it said. */
export interface Invoice {
  readonly invoiceId: number;
  readonly number: string;
  /** As given: old data may have something here that is no e-mail address. */
  readonly recipient: string;
  /** Kobo; null when the old system had none. */
  readonly amountKobo: number | null;
  /** UTC date, `2026-10-30`. */
  readonly dueOn: string;
  /** Why nothing is owed any more; final. */
  readonly settled: 'paid' | 'void' | null;
  /** The event that said so. */
  readonly eventId: string;
}

/** An invoice and the place of its event: when it happened, where it lies in Kafka. */
export interface InvoiceFact extends Omit<Invoice, 'settled'> {
  readonly time: Date;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** Invoices, kept here so that an e-mail says what is right when it is sent. */
@Injectable()
export class Invoices {
  /** Keeps what the fact says unless something newer is known: a late event must not undo a correction. */
  async keepNewest(tx: Transaction, fact: InvoiceFact): Promise<void> {
    await sql(tx, `${INSERT} ${REPLACE_UNLESS_NEWER}`, valuesOf(fact));
  }

  /** Keeps what the fact says unless anything is known: who only passes it on knows nothing newer. */
  async keepFirst(tx: Transaction, fact: InvoiceFact): Promise<void> {
    await sql(tx, `${INSERT} ON CONFLICT (invoice_id) DO NOTHING`, valuesOf(fact));
  }

  /** For good, whatever else is said of the invoice before or after. */
  async settle(tx: Transaction, invoiceId: number, settled: 'paid' | 'void'): Promise<void> {
    await sql(tx, 'INSERT INTO settled_invoices (invoice_id, settled) VALUES ($1, $2) ON CONFLICT DO NOTHING', [invoiceId, settled]);
  }

  /** Id of the event that the invoice is known by, which nothing can correct before the transaction ends. */
  async lockEventId(tx: Transaction, invoiceId: number): Promise<string | undefined> {
    const { rows } = await sql<{ eventId: string }>(tx, 'SELECT event_id AS "eventId" FROM invoices WHERE invoice_id = $1 FOR SHARE', [
      invoiceId,
    ]);
    return rows[0]?.eventId;
  }
}

const INSERT = `
  INSERT INTO invoices AS known
    (invoice_id, number, recipient, amount_kobo, due_on, event_id, occurred_at, source_topic, source_partition, source_offset)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

// An event is late only if its time and its offset both say so, as with contacts.
const REPLACE_UNLESS_NEWER = `
  ON CONFLICT (invoice_id) DO UPDATE SET
    recipient = excluded.recipient, amount_kobo = excluded.amount_kobo, due_on = excluded.due_on, event_id = excluded.event_id,
    occurred_at = excluded.occurred_at, source_topic = excluded.source_topic,
    source_partition = excluded.source_partition, source_offset = excluded.source_offset
  WHERE excluded.occurred_at >= known.occurred_at
     OR (excluded.source_topic = known.source_topic AND excluded.source_partition = known.source_partition
         AND excluded.source_offset > known.source_offset)`;

const valuesOf = (fact: InvoiceFact): unknown[] => [
  fact.invoiceId,
  fact.number,
  fact.recipient,
  fact.amountKobo,
  fact.dueOn,
  fact.eventId,
  fact.time.toISOString(),
  fact.topic,
  fact.partition,
  fact.offset,
];
