import { Client, type ClientConfig } from 'pg';

export interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

/** What the server says about itself, in the words of its own settings. */
interface Facts {
  readonly version: number;
  readonly wal_level: string;
  readonly free_slots: number;
  readonly free_senders: number;
  readonly existing_slots: string[];
  readonly may_create_databases: boolean;
  readonly may_replicate: boolean;
  readonly keep_size_mb: number;
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

const OLDEST = 14;

/** Asks the server itself; a replication connection is tried, since whether one is let in is said nowhere. */
export async function inspectPostgres(url: string, slots: readonly string[]): Promise<Findings> {
  const unreachable = (error: Error) => ({ faults: [connectionFault(url, error)], warnings: [] });
  return withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<Facts>(FACTS, [slots]);
    const facts = rows[0] as Facts;
    const refused = facts.may_replicate ? await replicationFault(url) : [];
    return { faults: [...faultsOf(facts, slots, client), ...refused], warnings: warningsOf(facts) };
  }).catch(unreachable);
}

function faultsOf(facts: Facts, slots: readonly string[], { user, host, port }: Client): string[] {
  const wanted = slots.length;
  const missing = wanted - facts.existing_slots.length;
  const at = `PostgreSQL at ${host}:${port}`;
  const set = (setting: string) => `set ${setting} and restart the server`;
  const checks: [boolean, string][] = [
    [facts.version >= OLDEST, `${at} is version ${facts.version}: ShopFlow needs ${OLDEST} or newer, and is tested with 18`],
    [facts.wal_level === 'logical', `${at} has wal_level=${facts.wal_level}, so the outbox cannot be read: ${set('wal_level=logical')}`],
    [
      facts.free_slots >= missing,
      `${at} has ${facts.free_slots} free replication slots and ${missing} are needed: drop unused ones, or raise max_replication_slots`,
    ],
    [facts.free_senders >= missing, `${at} has ${facts.free_senders} free WAL senders and ${missing} are needed: raise max_wal_senders`],
    [facts.may_create_databases, `${at}: ${user} may not create databases: ALTER ROLE "${user}" CREATEDB`],
    [facts.may_replicate, `${at}: ${user} may not replicate: ALTER ROLE "${user}" REPLICATION`],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/** -1 is "no limit", and PostgreSQL's default. */
const warningsOf = ({ keep_size_mb }: Facts): string[] =>
  keep_size_mb >= 0
    ? []
    : ['max_slot_wal_keep_size is unlimited: a relay that stays away fills the disk of PostgreSQL; set it, e.g. to 20GB'];

async function replicationFault(url: string): Promise<string[]> {
  const config = { connectionString: url, replication: 'database' } as ClientConfig;
  return withClient(config, async (client) => {
    await client.query('IDENTIFY_SYSTEM');
    return [];
  }).catch((error: Error) => [`PostgreSQL refuses replication connections (${error.message}): allow them in pg_hba.conf`]);
}

async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 5_000, application_name: 'preflight', ...config });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

function connectionFault(url: string, error: Error & { code?: string; errors?: Error[] }): string {
  const { host, username, pathname } = new URL(url);
  const reason = error.errors?.[0]?.message ?? error.message;
  const login = error.code?.startsWith('28') ? `PostgreSQL at ${host} does not let ${username} in` : undefined;
  const database = error.code === '3D000' ? `PostgreSQL at ${host} has no database ${pathname.slice(1)}` : undefined;
  return `${login ?? database ?? `no PostgreSQL at ${host}`} (${reason}): start it, or correct DATABASE_URL`;
}
