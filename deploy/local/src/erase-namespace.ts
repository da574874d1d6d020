import type { Servers } from '@shopflow/servers';
import type { Client } from 'pg';
import { asAdmin } from './as-admin.js';
import { kafkaAdministration } from './kafka-administration.js';
import { databaseName } from './names.js';
import { databaseOwners } from './services.js';

/** Deletes everything that a namespace has on the servers: databases with their replication slots, topics, consumer groups. */
export async function eraseNamespace(
  { kafkaBrokers, databaseUrl }: Pick<Servers, 'kafkaBrokers' | 'databaseUrl'>,
  namespace: string,
): Promise<void> {
  await eraseFromKafka(kafkaBrokers, namespace);
  await asAdmin(databaseUrl, async (client) => {
    for (const owner of databaseOwners) await dropDatabase(client, databaseName(namespace, owner));
  });
}

/** A slot keeps its database from being dropped, and the server's log from being removed. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query('SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE database = $1 AND active', [name]);
  await client.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = $1', [name]);
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function eraseFromKafka(brokers: string, namespace: string): Promise<void> {
  const admin = kafkaAdministration(brokers).admin();
  const isOurs = (name: string) => name.startsWith(`${namespace}.`);
  await admin.connect();
  try {
    const groupIds = (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter(isOurs);
    if (groupIds.length > 0) await admin.deleteGroups(groupIds);
    const topics = (await admin.listTopics()).filter(isOurs);
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
