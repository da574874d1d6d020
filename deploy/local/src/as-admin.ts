import { Client } from 'pg';

/** Runs `work` on a connection to the server's maintenance database. */
export async function asAdmin<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl, application_name: 'shopflow-local' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
