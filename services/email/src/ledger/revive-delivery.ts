import { Database, sql, type Transaction } from '@shopflow/database';
import { Injectable } from '@nestjs/common';
import { type Asker, closeDeliveryLetter } from './dead-letter.js';
import { noticeDue } from './due-notice.js';

export type { Asker } from './dead-letter.js';

/**
 * Puts a dead delivery back in the line and closes its dead letter, in one transaction: the same row under the same key,
 * with a fresh budget of attempts and starts. The only way from dead to queued.
 */
@Injectable()
export class ReviveDelivery {
  constructor(private readonly database: Database) {}

  /**
   * @param asker whose `organizationId` must be that of the delivery; anybody's when left out, for operators
   * @returns false when the delivery is not dead, as after a double click; undefined when there is none
   */
  async replay(
    id: string,
    { organizationId, ...asker }: Asker & { organizationId?: string },
    now = new Date(),
  ): Promise<boolean | undefined> {
    return this.database.inTransaction(async (tx) => {
      const { rows } = await sql(tx, KNOWN, [id, organizationId ?? null]);
      return rows.length === 0 ? undefined : revive(tx, id, asker, now);
    });
  }

  /** Revives the receipt of an order if it is dead. Returns its id then. */
  async reviveReceipt(tx: Transaction, orderId: string, asker: Asker, now = new Date()): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>(
      tx,
      `SELECT id FROM deliveries WHERE order_id = $1 AND kind = 'receipt' AND status = 'dead'`,
      [orderId],
    );
    const id = rows[0]?.id;
    return id !== undefined && (await revive(tx, id, asker, now)) ? id : undefined;
  }
}

const KNOWN = ['deliveries', 'deliveries_archive']
  .map((table) => `SELECT 1 FROM ${table} WHERE id = $1 AND ($2::text IS NULL OR organization_id = $2)`)
  .join(' UNION ALL ');

async function revive(tx: Transaction, id: string, asker: Asker, now: Date): Promise<boolean> {
  const { rows } = await sql<{ source: string; eventId: string }>(
    tx,
    `UPDATE deliveries SET status = 'queued', attempts = 0, claims = 0, due_at = $2, last_error = NULL, first_failed_at = NULL, started_at = NULL
     WHERE id = $1 AND status = 'dead' RETURNING cause_source AS source, cause_event_id AS "eventId"`,
    [id, now],
  );
  const cause = rows[0];
  if (cause === undefined) return false;
  await closeDeliveryLetter(tx, cause, asker);
  await noticeDue(tx);
  return true;
}
