import { Client } from 'pg';

/** Connects, works, disconnects. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'demo' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
