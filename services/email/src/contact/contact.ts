import { sql, type Transaction } from '@shopflow/database';
import { Injectable } from '@nestjs/common';

/** Where to reach the customer of an order, as the newest event about it said. */
export interface Contact {
  readonly email: string;
  readonly name: string | null;
  /** The event that said so. */
  readonly eventId: string;
}

/** A contact and the place of its event in the history of the order: when it happened, where it lies in Kafka. */
export interface ContactFact extends Contact {
  readonly orderId: string;
  readonly time: Date;
  readonly partition: number;
  readonly offset: number;
}

/** The contacts of orders, kept here so that an e-mail goes to the address as it is when it is sent. */
@Injectable()
export class Contacts {
  /** Keeps the contact that an order was placed with, unless one is known: a correction is newer than the placing. */
  async keepFirst(tx: Transaction, fact: ContactFact): Promise<void> {
    await sql(tx, `${INSERT} ON CONFLICT (order_id) DO NOTHING`, valuesOf(fact));
  }

  /**
   * Replaces the contact. Locks its row until the transaction ends.
   * @returns false when a newer one is known: a late event (from a dead letter, say) must not undo it
   */
  async correct(tx: Transaction, fact: ContactFact): Promise<boolean> {
    const { count } = await sql(tx, `${INSERT} ${REPLACE_UNLESS_NEWER}`, valuesOf(fact));
    return count > 0;
  }

  /** The contact, which nobody can correct before the transaction ends. */
  async lock(tx: Transaction, orderId: string): Promise<Contact | undefined> {
    const { rows } = await sql<Contact>(tx, `${SELECT} FOR SHARE`, [orderId]);
    return rows[0];
  }
}

const SELECT = 'SELECT email, name, event_id AS "eventId" FROM contacts WHERE order_id = $1';

const INSERT = `
  INSERT INTO contacts AS known (order_id, email, name, event_id, occurred_at, source_partition, source_offset)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

// Times are those of the producer's transactions and may stand in another order than its commits, offsets begin anew when a
// topic is made again: an event is late only if both say so.
const REPLACE_UNLESS_NEWER = `
  ON CONFLICT (order_id) DO UPDATE SET
    email = excluded.email, name = excluded.name, event_id = excluded.event_id, occurred_at = excluded.occurred_at,
    source_partition = excluded.source_partition, source_offset = excluded.source_offset
  WHERE excluded.occurred_at >= known.occurred_at
     OR (excluded.source_partition = known.source_partition AND excluded.source_offset > known.source_offset)`;

const valuesOf = ({ orderId, email, name, eventId, time, partition, offset }: ContactFact) => [
  orderId,
  email,
  name,
  eventId,
  time.toISOString(),
  partition,
  offset,
];
