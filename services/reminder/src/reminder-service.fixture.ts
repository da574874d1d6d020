import { type EventContract, topics } from '@shopflow/contracts';
import { KafkaProducer, physicalTopic, writeHeaders } from '@shopflow/kafka';
import { createTestDatabase, kafkaBrokers, type TestDatabase, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { readReminderConfig } from './config.js';
import { migrations } from './persistence/migrations.js';

/** An event as the relay would publish it. */
export interface Published {
  readonly id: string;
  readonly contract: EventContract;
  /** The latest unless given. */
  readonly version?: number;
  readonly payload: Readonly<Record<string, unknown>> & { readonly orderId: string | null; readonly number: string };
  readonly organizationId?: string;
}

/** What the service needs around it. */
export class Surroundings {
  private constructor(
    readonly db: TestDatabase,
    readonly namespace: string,
    private readonly producer: KafkaProducer,
  ) {}

  static async start(): Promise<Surroundings> {
    const namespace = uniqueNamespace();
    await uniqueTopic({ namespace, name: topics.invoices.name, partitions: 2 });
    const producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
    return new Surroundings(await createTestDatabase(migrations), namespace, producer);
  }

  /** Settings of the service as its environment would give them. */
  environment = (): Record<string, string> => ({
    DATABASE_URL: this.db.url,
    KAFKA_BROKERS: kafkaBrokers(),
    SHOPFLOW_NAMESPACE: this.namespace,
    PORT: '0',
  });

  config = () => readReminderConfig(this.environment());

  async publish(...events: Published[]): Promise<void> {
    const topic = physicalTopic(this.namespace, topics.invoices.name);
    await this.producer.send(
      events.map((event) => ({ topic, key: keyOf(event), value: JSON.stringify(event.payload), headers: headersOf(event) })),
    );
  }

  async stop(): Promise<void> {
    await this.producer.close();
    await this.db.drop();
  }
}

const keyOf = ({ payload }: Published) => payload.orderId ?? payload.number;

const headersOf = (event: Published): Record<string, string> =>
  writeHeaders({
    id: event.id,
    type: event.contract.type,
    source: event.contract.owner,
    subject: keyOf(event),
    time: new Date().toISOString(),
    version: event.version ?? event.contract.latest.number,
    correlationId: null,
    causationId: null,
    organizationId: event.organizationId ?? 'shopflow',
    traceparent: null,
    tracestate: null,
  });
