import { connectKafka } from '@shopflow/kafka';
import { dropDatabase, withClient } from '@shopflow/servers';
import { databasePrefix, topicPrefix } from './unique-name.js';
import { testLogger } from './test-logger.js';

/** Takes away what a run left on servers that are not its own: databases of test files that were interrupted, and every topic. */
export async function removeLeftovers(servers: { kafkaBrokers: string; databaseUrl: string }, runId: string): Promise<void> {
  await removeTopics(servers.kafkaBrokers, runId);
  await removeDatabases(servers.databaseUrl, runId);
}

async function removeTopics(brokers: string, runId: string): Promise<void> {
  const admin = connectKafka({ brokers, clientId: 'test-cleanup', logger: testLogger('test-cleanup') }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix(runId)));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

async function removeDatabases(url: string, runId: string): Promise<void> {
  await withClient(url, async (admin) => {
    const prefix = databasePrefix(runId);
    const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await dropDatabase(admin, datname);
  });
}
