import { randomBytes } from 'node:crypto';
import { consumerMigrations } from '@shopflow/consumer';
import { migrate } from '@shopflow/database';
import { dropDatabase, withClient, withDatabase } from '@shopflow/servers';
import type { Client } from 'pg';

/** Every contender writes the same rows into the same tables, in a database that nobody has used before. */
const AUDIT_LOG = {
  name: 'CreateAuditLog1764460800901',
  up: `CREATE TABLE audit_log (
         seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         event_id text NOT NULL,
         type     text NOT NULL,
         payload  jsonb NOT NULL,
         at       timestamptz NOT NULL DEFAULT clock_timestamp()
       )`,
};

/** What a contender has left behind. */
export interface AuditResult {
  /** Events without a row. */
  readonly lost: number;
  /** Rows beyond the first of an event. */
  readonly twice: number;
  /** Rows without a claim of the group, or the reverse. */
  readonly unclaimed: number;
  /** From the first row to the last. */
  readonly seconds: number;
}

/**
 * Makes the database, works with it, drops it.
 *
 * @param prepare puts into the tables what is to be there before
 */
export async function withAuditDatabase<T>(
  serverUrl: string,
  prepare: (client: Client) => Promise<void>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(serverUrl, name);
  await withClient(serverUrl, (admin) => admin.query(`CREATE DATABASE "${name}"`));
  try {
    await migrate(url, [...consumerMigrations, AUDIT_LOG]);
    await withClient(url, async (client) => {
      await prepare(client);
      // Writing out what an earlier contender left is not for the next one to pay.
      await client.query('CHECKPOINT');
    });
    return await work(url);
  } finally {
    await withClient(serverUrl, (admin) => dropDatabase(admin, name));
  }
}

/** How many rows there are, or a few more: told by their sequence, which costs nothing to read while others write. */
export async function countRows(client: Client): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS rows FROM audit_log_seq_seq`,
  );
  return Number(rows[0]!.rows);
}

/** @param claimsBefore that the group had from the beginning */
export async function judge(client: Client, group: string, events: number, claimsBefore: number): Promise<AuditResult> {
  const { rows } = await client.query<{ rows: number; ids: number; claims: number; seconds: number }>(
    `SELECT count(*)::int AS rows, count(DISTINCT event_id)::int AS ids,
            (SELECT count(*)::int FROM processed_events WHERE consumer = $1) AS claims,
            extract(epoch FROM max(at) - min(at))::float8 AS seconds
     FROM audit_log`,
    [group],
  );
  const found = rows[0]!;
  const unclaimed = found.rows - (found.claims - claimsBefore);
  return { lost: events - found.ids, twice: found.rows - found.ids, unclaimed, seconds: found.seconds };
}
