import { sql, type Transaction } from '@shopflow/database';
import type { LeasedDelivery } from './delivery.js';
import { DELIVERY_COLUMNS, type DeliveryRow, leasedFrom } from './delivery-columns.js';

/** Running rows whose lease ran out and that may not be started again, which nobody else can change before the transaction ends. */
export async function lockCrashed(tx: Transaction, now: Date, maxStarts: number): Promise<LeasedDelivery[]> {
  const { rows } = await sql<DeliveryRow>(
    tx,
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries d
     WHERE status = 'running' AND locked_until <= $1 AND claims >= $2
     ORDER BY locked_until LIMIT 100 FOR UPDATE OF d SKIP LOCKED`,
    [now, maxStarts],
  );
  return rows.map(leasedFrom);
}
