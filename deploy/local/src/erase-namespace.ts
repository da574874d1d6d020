import { dropDatabase, type Servers, withClient } from '@shopflow/servers';
import { kafkaAdministration } from './kafka-administration.js';
import { databaseName } from './names.js';
import { databaseOwners } from './services.js';

/** Deletes everything that a namespace has on the servers: databases with their replication slots, topics, consumer groups. */
export async function eraseNamespace(
  { kafkaBrokers, databaseUrl }: Pick<Servers, 'kafkaBrokers' | 'databaseUrl'>,
  namespace: string,
): Promise<void> {
  await eraseFromKafka(kafkaBrokers, namespace);
  await withClient(databaseUrl, async (client) => {
    for (const owner of databaseOwners) await dropDatabase(client, databaseName(namespace, owner));
  });
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
