import { RETRY_RETENTION_MS, RETRY_TIERS, retryTopic } from '@shopflow/contracts';
import { connectKafka, ensureTopicLike, FAILURE_HEADERS_BYTES, physicalTopic } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';

export interface RetryTopicsOptions {
  readonly group: string;
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly namespace: string;
  readonly logger: Logger;
  /** Logical names of the topics that the records come from. */
  readonly sources: readonly string[];
}

/** Logical names of a group's retry topics, by tier. */
export const retryTopics = (group: string): string[] => Array.from({ length: RETRY_TIERS }, (_, index) => retryTopic(group, index + 1));

/** Creates those of a group's retry topics that are missing. @throws when no broker answers, or none of the sources exists */
export async function ensureRetryTopics({ group, brokers, namespace, logger, sources }: RetryTopicsOptions): Promise<void> {
  const kafka = connectKafka({ brokers, clientId: `${group}-retry`, logger });
  const like = sources.map((topic) => physicalTopic(namespace, topic));
  const shape = { like, retentionMs: RETRY_RETENTION_MS, extraBytes: FAILURE_HEADERS_BYTES };
  await Promise.all(retryTopics(group).map((topic) => ensureTopicLike(kafka, { topic: physicalTopic(namespace, topic), ...shape })));
}
