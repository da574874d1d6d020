import { RETRY_TIERS, retryTopic } from '@shopflow/contracts';
import { connectKafka, physicalTopic } from '@shopflow/kafka';
import { offsetsOf } from '../read-ids.js';
import { GROUP } from '../settings.js';
import type { DrawFault, Stage } from './fault.js';

/** Deletes every record of the retry topics, as an operator in a hurry does. */
export const purgeRetries: DrawFault = (_random, stage) => ({
  name: 'purge retries',
  target: 'kafka',
  text: 'the retry topics are purged',
  async run() {
    for (let tier = 1; tier <= RETRY_TIERS; tier++) await purge(retryTopic(GROUP, tier), stage);
  },
});

async function purge(topic: string, stage: Stage): Promise<void> {
  const ends = await offsetsOf(topic, stage);
  const admin = connectKafka({ ...stage, clientId: 'drill' }).admin();
  await admin.connect();
  try {
    const partitions = ends.map(({ partition, high }) => ({ partition, offset: String(high) }));
    await admin.deleteTopicRecords({ topic: physicalTopic(stage.namespace, topic), partitions });
  } finally {
    await admin.disconnect();
  }
}
