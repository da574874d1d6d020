import { migrate } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';
import { withClient, withDatabase } from '@shopflow/servers';

/** A service with an outbox, as far as a relay can see. */
export interface DrillSource {
  readonly name: string;
  readonly databaseUrl: string;
  /** Logical: a topic of its own for each source. */
  readonly topic: string;
}

const KEYS = {
  name: 'CreateDrillKeys1764460800902',
  up: `CREATE TABLE drill_keys (key text PRIMARY KEY, places bigint NOT NULL DEFAULT 0);
       COMMENT ON COLUMN drill_keys.places IS 'how many events of the key are committed'`,
};

/** Creates the source's database, with its keys in it. */
export async function createSource(serverUrl: string, name: string, keys: number): Promise<DrillSource> {
  await withClient(serverUrl, (admin) => admin.query(`CREATE DATABASE ${name}`));
  const databaseUrl = withDatabase(serverUrl, name);
  await migrate(databaseUrl, [...outboxMigrations, KEYS]);
  const fill = `INSERT INTO drill_keys (key) SELECT 'ORD-' || n FROM generate_series(0, $1::int - 1) n`;
  await withClient(databaseUrl, (client) => client.query(fill, [keys]));
  return { name, databaseUrl, topic: `${name}.events` };
}
