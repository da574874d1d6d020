import { testKafka, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureTopicLike } from './ensure-topic-like.js';
import { physicalTopic } from './names.js';

const kafka = testKafka();
const admin = kafka.admin();
beforeAll(() => admin.connect());
afterAll(() => admin.disconnect());

const dlqOf = (namespace: string, ...sources: readonly string[]) => ({
  topic: physicalTopic(namespace, 'audit.dlq'),
  like: sources.map((source) => physicalTopic(namespace, source)),
  retentionMs: 60_000,
  extraBytes: 16_384,
});
const exists = async (topic: string) => (await admin.listTopics()).includes(topic);

it('creates the topic with the partitions of the sources that exist, though another one is missing', async () => {
  const namespace = uniqueNamespace();
  await uniqueTopic({ namespace, name: 'orders.events', partitions: 3 });
  const dlq = dlqOf(namespace, 'orders.events', 'emails.events');
  await ensureTopicLike(kafka, dlq);
  const { topics } = await admin.fetchTopicMetadata({ topics: [dlq.topic] });
  expect(topics[0]?.partitions).toHaveLength(3);
});

it('creates nothing while none of the sources exists, and says which are missing', async () => {
  const dlq = dlqOf(uniqueNamespace(), 'orders.events', 'emails.events');
  await expect(ensureTopicLike(kafka, dlq)).rejects.toThrow(dlq.like.join(', '));
  expect(await exists(dlq.topic)).toBe(false);
});
