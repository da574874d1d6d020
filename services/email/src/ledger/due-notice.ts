import { sql, type Transaction } from '@shopflow/database';

/** PostgreSQL channel that says: a delivery may be due. */
export const DUE_CHANNEL = 'deliveries_due';

/** Wakes the dispatchers of every instance when the transaction commits. */
export async function noticeDue(tx: Transaction): Promise<void> {
  await sql(tx, 'SELECT pg_notify($1, $2)', [DUE_CHANNEL, '']);
}
