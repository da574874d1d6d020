import { withClient } from '@shopflow/servers';
import type { DrillSource } from '../drill-source.js';

/** Ids of all events that a source's outbox holds. */
export async function readStored({ databaseUrl }: DrillSource): Promise<string[]> {
  return withClient(databaseUrl, async (client) => (await client.query<{ id: string }>('SELECT id FROM outbox')).rows.map(({ id }) => id));
}

export async function readSetAside({ databaseUrl }: DrillSource): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT event_id AS id FROM outbox_set_aside');
    return rows.map(({ id }) => id);
  });
}

/** How many events the database says are not published yet. @throws when it does not answer */
export async function countWaiting({ databaseUrl }: DrillSource): Promise<number> {
  return withClient({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 }, async (client) => {
    const { rows } = await client.query<{ waiting: number }>('SELECT waiting::int FROM outbox_backlog');
    return rows[0]!.waiting;
  });
}
