import { connectKafka, ensureTopics } from '@shopflow/kafka';
import { inject } from 'vitest';
import './provided.js';
import { testLogger } from './test-logger.js';
import { newTopicName } from './unique-name.js';

type Kafka = ReturnType<typeof connectKafka>;

const HOUR_MS = 3_600_000;

/** host:port list of the Kafka of this run. */
export const kafkaBrokers = (): string => inject('kafkaBrokers');

/** A kafkajs client of this run's Kafka, for a test's own consumers and administration. */
export const testKafka = (clientId = 'test'): Kafka => connectKafka({ brokers: kafkaBrokers(), clientId, logger: testLogger(clientId) });

/**
 * A namespace (`SHOPFLOW_NAMESPACE`) or consumer group name that nothing else uses. Topics whose names begin with it are
 * removed at the end of the run.
 */
export const uniqueNamespace = (): string => newTopicName(inject('runId'));

export interface TestTopicOptions {
  /** 1 unless given. */
  readonly partitions?: number;
  /** Largest record batch in bytes; the broker's default when left out. */
  readonly maxMessageBytes?: number;
  /** The logical name behind a namespace, e.g. `orders.events`; one unique name altogether when left out. */
  readonly namespace?: string;
  readonly name?: string;
}

/** Creates a topic that nothing else uses and gives its name on the broker. */
export async function uniqueTopic({ partitions = 1, maxMessageBytes, namespace, name }: TestTopicOptions = {}): Promise<string> {
  const topic = [namespace ?? uniqueNamespace(), ...(name === undefined ? [] : [name])].join('.');
  const spec = { topic, partitions, retentionMs: HOUR_MS, ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }) };
  await ensureTopics(testKafka('test-topics'), [spec]);
  return topic;
}
