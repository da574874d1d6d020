import { Client, type ClientConfig } from 'pg';

/**
 * Connects, works, disconnects.
 *
 * @param config a database's URL, or all that a connection can be told
 */
export async function withClient<T>(config: string | ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const given = typeof config === 'string' ? { connectionString: config } : config;
  const client = new Client({ application_name: 'shopflow-local', ...given });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Drops a database together with its replication slots, which would otherwise keep it, and the server's log, for ever. */
export async function dropDatabase(admin: Client, name: string): Promise<void> {
  await admin.query('SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE database = $1 AND active', [name]);
  await admin.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = $1', [name]);
  await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
}

/** The URL of a database on the server that `serverUrl` names. */
export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
