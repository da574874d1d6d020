import type { ClientConfig } from 'pg';
import { withClient } from '../postgres/administer.js';
import { faultsOf, type PostgresFacts, warningsOf } from './judge-postgres.js';

export interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

const FACTS = `
  SELECT current_setting('server_version_num')::int / 10000 AS version,
         current_setting('wal_level') AS wal_level,
         current_setting('max_replication_slots')::int - (SELECT count(*)::int FROM pg_replication_slots) AS free_slots,
         current_setting('max_wal_senders')::int - (SELECT count(*)::int FROM pg_stat_replication) AS free_senders,
         (SELECT coalesce(array_agg(slot_name::text), '{}') FROM pg_replication_slots WHERE slot_name = ANY($1)) AS existing_slots,
         rolsuper OR rolcreatedb AS may_create_databases,
         rolsuper OR rolreplication AS may_replicate,
         (SELECT setting::int FROM pg_settings WHERE name = 'max_slot_wal_keep_size') AS keep_size_mb
  FROM pg_roles WHERE rolname = current_user`;

/** Asks the server itself; a replication connection is tried, since whether one is let in is said nowhere. */
export async function inspectPostgres(url: string, slots: readonly string[]): Promise<Findings> {
  const unreachable = (error: Error) => ({ faults: [connectionFault(url, error)], warnings: [] });
  return withClient(asking(url), async (client) => {
    const { rows } = await client.query<PostgresFacts>(FACTS, [slots]);
    const facts = rows[0] as PostgresFacts;
    const refused = facts.may_replicate ? await replicationFault(url) : [];
    return { faults: [...faultsOf(facts, slots, client), ...refused], warnings: warningsOf(facts) };
  }).catch(unreachable);
}

async function replicationFault(url: string): Promise<string[]> {
  const config = { ...asking(url), replication: 'database' } as ClientConfig;
  return withClient(config, async (client) => {
    await client.query('IDENTIFY_SYSTEM');
    return [];
  }).catch((error: Error) => [`PostgreSQL refuses replication connections (${error.message}): allow them in pg_hba.conf`]);
}

const asking = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'preflight',
  connectionTimeoutMillis: 5_000,
});

function connectionFault(url: string, error: Error & { code?: string; errors?: Error[] }): string {
  const { host, username, pathname } = new URL(url);
  const reason = error.errors?.[0]?.message ?? error.message;
  const login = error.code?.startsWith('28') ? `PostgreSQL at ${host} does not let ${username} in` : undefined;
  const database = error.code === '3D000' ? `PostgreSQL at ${host} has no database ${pathname.slice(1)}` : undefined;
  return `${login ?? database ?? `no PostgreSQL at ${host}`} (${reason}): start it, or correct DATABASE_URL`;
}
