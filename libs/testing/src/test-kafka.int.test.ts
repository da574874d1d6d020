import { expect, it } from 'vitest';
import { testKafka, uniqueNamespace, uniqueTopic } from './test-kafka.js';

it('creates a topic with its partitions under a namespace', async () => {
  const namespace = uniqueNamespace();
  const topic = await uniqueTopic({ namespace, name: 'orders.events', partitions: 3 });
  expect(topic).toBe(`${namespace}.orders.events`);
  const admin = testKafka().admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  await admin.disconnect();
  expect(topics[0]?.partitions).toHaveLength(3);
});

it('never gives the same name twice', () => {
  expect(uniqueNamespace()).not.toBe(uniqueNamespace());
});
