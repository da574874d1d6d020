import type { Pool, QueryResultRow } from 'pg';

/**
 * Runs one statement that nobody waits for: it gives way when it takes long or meets a lock, and does not wait for the disk. What a
 * crash takes back is done again.
 */
export async function unhurried<Row extends QueryResultRow>(pool: Pool, text: string, values: readonly unknown[]): Promise<Row[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(BEGIN);
    const { rows } = await client.query<Row>(text, [...values]);
    await client.query('COMMIT');
    broken = false;
    return rows;
  } finally {
    client.release(broken); // an open transaction ends with its connection
  }
}

const BEGIN = `BEGIN; SET LOCAL statement_timeout = '2s'; SET LOCAL lock_timeout = '200ms'; SET LOCAL synchronous_commit = off`;
