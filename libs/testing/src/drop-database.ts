import type { Client } from 'pg';

/** Drops a database together with its replication slots, which would otherwise keep it, and its log, for ever. */
export async function dropDatabase(admin: Client, name: string): Promise<void> {
  await admin.query('SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE database = $1 AND active', [name]);
  await admin.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = $1', [name]);
  await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}
