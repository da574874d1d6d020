import { type EventContract, topics } from '@shopflow/contracts';
import { KafkaProducer, physicalTopic, writeHeaders } from '@shopflow/kafka';
import { type MailProvider, startMailProvider } from '@shopflow/local/mail-provider';
import { createTestDatabase, kafkaBrokers, type TestDatabase, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { readEmailConfig } from './config.js';
import { migrations } from './persistence/migrations.js';

/** An event as the relay would publish it. */
export interface Published {
  readonly id: string;
  readonly contract: EventContract;
  /** The latest unless given. */
  readonly version?: number;
  /** The key: the order, or the number of an invoice without one. */
  readonly orderId: string;
  readonly payload: unknown;
  readonly correlationId?: string;
  /** `shopflow` unless given. */
  readonly organizationId?: string;
}

/** What the service needs around it, all of it real but the mail provider. */
export class Surroundings {
  private constructor(
    readonly db: TestDatabase,
    readonly provider: MailProvider,
    readonly namespace: string,
    private readonly producer: KafkaProducer,
  ) {}

  static async start(): Promise<Surroundings> {
    const namespace = uniqueNamespace();
    for (const { name } of [topics.orders, topics.invoices, topics.reminders]) await uniqueTopic({ namespace, name, partitions: 2 });
    const producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
    return new Surroundings(await createTestDatabase(migrations), await startMailProvider(), namespace, producer);
  }

  /** Settings of the service as its environment would give them. */
  environment(overrides: Record<string, string> = {}): Record<string, string> {
    return {
      DATABASE_URL: this.db.url,
      KAFKA_BROKERS: kafkaBrokers(),
      SHOPFLOW_NAMESPACE: this.namespace,
      PORT: '0',
      MAIL_PROVIDER_URL: this.provider.url,
      MAIL_TIMEOUT_MS: '5000',
      MAIL_RETRY_DELAYS_MS: '0,0,0',
      MAIL_POLL_MS: '100',
      ...overrides,
    };
  }

  config = (overrides?: Record<string, string>) => readEmailConfig(this.environment(overrides));

  async publish(...events: Published[]): Promise<void> {
    await this.producer.send(
      events.map((event) => ({
        topic: physicalTopic(this.namespace, event.contract.topic.name),
        key: event.orderId,
        value: JSON.stringify(event.payload),
        headers: headersOf(event),
      })),
    );
  }

  dlqTopic = () => physicalTopic(this.namespace, 'email.dlq');

  async stop(): Promise<void> {
    await this.producer.close();
    await this.provider.stop();
    await this.db.drop();
  }
}

const headersOf = ({ id, contract, version, orderId, correlationId, organizationId }: Published): Record<string, string> =>
  writeHeaders({
    id,
    type: contract.type,
    source: contract.owner,
    subject: orderId,
    time: new Date().toISOString(),
    version: version ?? contract.latest.number,
    correlationId: correlationId ?? null,
    causationId: null,
    organizationId: organizationId ?? 'shopflow',
    traceparent: null,
    tracestate: null,
  });
