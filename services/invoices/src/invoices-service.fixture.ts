import { KafkaGroup } from '@shopflow/consumer';
import { type EventContract, topics } from '@shopflow/contracts';
import { type RunningService, signOrganizationToken, startService } from '@shopflow/http';
import { KafkaProducer, physicalTopic, writeHeaders } from '@shopflow/kafka';
import { createTestDatabase, kafkaBrokers, type TestDatabase, testLogger, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { readInvoicesConfig } from './config.js';
import { InvoicesModule } from './invoices.module.js';
import { migrations } from './persistence/migrations.js';

/** An event as the relay would publish it. */
export interface Published {
  readonly id: string;
  readonly contract: EventContract;
  readonly payload: object;
  /** The latest unless given. */
  readonly version?: number;
  readonly time?: string;
  readonly organizationId?: string;
  readonly correlationId?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly topic: string;
  readonly aggregateid: string;
  readonly payload: Record<string, unknown>;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly organization_id: string;
}

const KEY = 'a key of at least thirty-two characters';

/** The service in this process, on a real port, with a database and topics of its own. */
export class InvoicesUnderTest {
  private constructor(
    readonly db: TestDatabase,
    readonly service: RunningService,
    readonly namespace: string,
    private readonly producer: KafkaProducer,
  ) {}

  static async start(): Promise<InvoicesUnderTest> {
    const namespace = uniqueNamespace();
    for (const { name } of [topics.orders, topics.emails]) await uniqueTopic({ namespace, name, partitions: 2 });
    const db = await createTestDatabase(migrations, { poolSize: 3 });
    const config = readInvoicesConfig(environmentOf(db, namespace));
    const logger = testLogger('invoices', 'silent');
    const module = InvoicesModule.forRoot(config, logger);
    const { host, port, organizationKey } = config;
    const service = await startService({ name: 'invoices', module, logger, host, port, organizationKey, strategy: KafkaGroup });
    const producer = await KafkaProducer.connect({ brokers: kafkaBrokers(), clientId: 'test', logger: testLogger() });
    return new InvoicesUnderTest(db, service, namespace, producer);
  }

  async call(method: string, path: string, body?: object, { organization, requestId }: Caller = {}): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...(organization === undefined ? {} : { authorization: `Bearer ${await signOrganizationToken(organization, KEY, 1)}` }),
    };
    const answer = await fetch(this.service.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  }

  /** In one send, so in this order where they have the same key. */
  async publish(...events: readonly Published[]): Promise<void> {
    await this.producer.send(
      events.map((event) => ({
        topic: physicalTopic(this.namespace, event.contract.topic.name),
        key: keyOf(event),
        value: JSON.stringify(event.payload),
        headers: headersOf(event),
      })),
    );
  }

  /** The outbox in commit order. */
  async outbox(type?: string): Promise<OutboxRow[]> {
    const { rows } = await this.db.database.query<OutboxRow>('SELECT * FROM outbox WHERE $1::text IS NULL OR type = $1 ORDER BY seq', [
      type ?? null,
    ]);
    return rows;
  }

  async invoiceOf(orderId: string): Promise<Record<string, unknown> | undefined> {
    const { body } = await this.call('GET', '/invoices?limit=1000');
    return (body as unknown as Record<string, unknown>[]).find((invoice) => invoice['orderId'] === orderId);
  }

  async stop(): Promise<void> {
    await this.producer.close();
    await this.service.stop();
    await this.db.drop();
  }
}

interface Caller {
  readonly organization?: string;
  readonly requestId?: string;
}

export const environmentOf = (db: TestDatabase, namespace: string): Record<string, string> => ({
  DATABASE_URL: db.url,
  KAFKA_BROKERS: kafkaBrokers(),
  SHOPFLOW_NAMESPACE: namespace,
  ORGANIZATION_KEY: KEY,
  PORT: '0',
});

function keyOf({ payload }: Published): string {
  const { orderId, number } = payload as { orderId?: string | null; number?: string | null };
  return String(orderId ?? number);
}

const headersOf = (event: Published): Record<string, string> =>
  writeHeaders({
    id: event.id,
    type: event.contract.type,
    source: event.contract.owner,
    subject: keyOf(event),
    time: event.time ?? new Date().toISOString(),
    version: event.version ?? event.contract.latest.number,
    correlationId: event.correlationId ?? null,
    causationId: null,
    organizationId: event.organizationId ?? 'shopflow',
    traceparent: null,
    tracestate: null,
  });
