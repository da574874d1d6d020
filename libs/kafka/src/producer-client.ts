import type { Logger } from '@shopflow/telemetry';
import type { Producer } from '@platformatic/kafka';
import type { KafkaModule } from './batches/produce-request.js';

export interface KafkaProducerOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly clientId: string;
  readonly logger: Logger;
}

export const CONNECT_MS = 5_000;
/** How long the broker waits for its replicas, and we for the broker. */
export const REQUEST_MS = { broker: 10_000, answer: 15_000 };

/** A broker may be there and answer nothing: then the next one is asked about the topics. The client asks always the same one first. */
export const ASK_ANOTHER = { retries: 1 };

export interface ConnectedProducer {
  readonly kafka: KafkaModule;
  readonly client: Producer<Buffer, Buffer, Buffer, Buffer>;
}

/** Loads the client, half a second of CPU, before its first use has to wait for it. */
export async function loadProducer(): Promise<void> {
  await import('@platformatic/kafka');
}

/** @throws what classifyKafkaError calls an `outage` when no broker answers */
export async function connectProducer({ brokers, clientId, logger }: KafkaProducerOptions): Promise<ConnectedProducer> {
  // Loading it takes half a second of CPU, and most processes that could produce never do.
  const kafka = await import('@platformatic/kafka');
  const client = new kafka.Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId,
    bootstrapBrokers: shuffled(brokers.split(',')),
    retries: 0,
    retryDelay: 50,
    timeout: REQUEST_MS.broker,
    requestTimeout: REQUEST_MS.answer,
    connectTimeout: CONNECT_MS,
  });
  client.on('client:broker:disconnect', ({ broker }) => logger.debug({ broker }, 'connection to a broker ended'));
  try {
    await client.metadata({ topics: [] });
  } catch (error) {
    await client.close();
    throw error;
  }
  return { kafka, client };
}

/** Whoever could not connect tries another one first the next time. */
const shuffled = (brokers: readonly string[]): string[] =>
  brokers
    .map((broker) => ({ broker, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ broker }) => broker);
