import { dlqTopic, DLQ_RETENTION_MS, LOCAL_PARTITIONS, topics } from '@shopflow/contracts';
import { ensureTopics, FAILURE_HEADERS_BYTES, physicalTopic, type TopicSpec } from '@shopflow/kafka';
import { kafkaAdministration } from './kafka-administration.js';
import { groups } from './services.js';

/** Kafka's own default for a topic, which the event topics keep. */
const SOURCE_MAX_BYTES = 1_048_588;

/** The topics of the manifest and each group's dead-letter topic. Returns the names of those that were missing. */
export const createTopics = (brokers: string, namespace: string): Promise<string[]> =>
  ensureTopics(kafkaAdministration(brokers), topicsOf(namespace));

export function topicsOf(namespace: string): TopicSpec[] {
  const events = Object.values(topics).map(({ name, retentionMs }) => ({ topic: name, retentionMs }));
  const deadLetters = groups.map((group) => ({
    topic: dlqTopic(group),
    retentionMs: DLQ_RETENTION_MS,
    // A dead letter is the original record with headers added: it must fit wherever the original fitted.
    maxMessageBytes: SOURCE_MAX_BYTES + FAILURE_HEADERS_BYTES,
  }));
  return [...events, ...deadLetters].map((spec) => ({
    ...spec,
    topic: physicalTopic(namespace, spec.topic),
    partitions: LOCAL_PARTITIONS,
  }));
}
