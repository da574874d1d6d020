import { withClient } from '@shopflow/servers';
import { databaseName } from './names.js';
import { databaseOwners } from './services.js';

/** Creates each service's database if it is not there. */
export async function createDatabases(serverUrl: string, namespace: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    for (const owner of databaseOwners) {
      const name = databaseName(namespace, owner);
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
    }
  });
}
