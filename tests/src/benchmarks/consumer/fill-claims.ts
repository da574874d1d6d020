import { orderCreated } from '@shopflow/contracts';
import type { Client } from 'pg';

const AT_ONCE = 500_000;
/** For each batch, and for what a table needs once after so many rows: nothing goes on for ever behind a run that was given up. */
const BATCH_LIMIT_MS = 120_000;
const VACUUM_LIMIT_MS = 900_000;

/** Ids that lie between those of the workload in the index, as they would after weeks of events. */
const FILL = `
  INSERT INTO processed_events (consumer, source, event_id, processed_at)
  SELECT $1, $2, 'evt-' || lpad(to_hex((n * 4294967296 / $5::bigint)), 8, '0') || '-old', now() - interval '1 day'
  FROM generate_series($3::bigint, $4::bigint - 1) AS n`;

/**
 * Lets the group have had `rows` events before.
 *
 * @param say tells a person how far it is
 */
export async function fillClaims(client: Client, group: string, rows: number, say: (message: string) => void): Promise<void> {
  await client.query(`SET statement_timeout = ${BATCH_LIMIT_MS}`);
  for (let from = 0; from < rows; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, rows);
    await client.query(FILL, [group, orderCreated.owner, from, to, rows]);
    if (to % (4 * AT_ONCE) === 0 || to === rows) say(`  ${to} of ${rows} claims are there before it`);
  }
  await client.query(`SET statement_timeout = ${VACUUM_LIMIT_MS}`);
  await client.query('VACUUM (ANALYZE) processed_events');
}
