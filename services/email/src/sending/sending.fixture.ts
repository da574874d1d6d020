import { createTestDatabase, eventually, type TestDatabase, testLogger } from '@shopflow/testing';
import { type MailProvider, startMailProvider } from '@shopflow/local/mail-provider';
import { EventContext } from '@shopflow/consumer';
import { OrdersConsumer } from '../consuming/orders.consumer.js';
import { Contacts } from '../contact/contact.js';
import type { Delivery } from '../ledger/delivery.js';
import { FindDeliveries } from '../ledger/find-deliveries.js';
import { QueueDeliveries } from '../ledger/queue-deliveries.js';
import { ReviveDelivery } from '../ledger/revive-delivery.js';
import { migrations } from '../persistence/migrations.js';
import type { Claim, ClaimRequest } from '../ledger/claim-due.js';
import type { LeasedDelivery } from '../ledger/delivery.js';
import type { Recorded } from '../ledger/record-outcome.js';
import { buildDispatcher, buildLedger, type SendingConfig } from './build-dispatcher.js';
import type { Dispatcher } from './dispatcher.js';
import type { Outcome } from './outcome.js';
import { MailProvider as ProviderClient } from './mail-provider.js';
import { ADA, contactEvent, createdEvent, type Customer, type Place, recordAt } from './order-events.fixture.js';

export { ADA, type Customer, type Place, TRACE } from './order-events.fixture.js';
export const LEASE_MS = 60_000;

/** The ledger in a database of its own, a mail provider on a real port, and a clock that can be put forward. */
export class Sending {
  readonly deliveries: FindDeliveries;
  readonly revival: ReviveDelivery;
  private readonly consumer: OrdersConsumer;
  private readonly instances: Instance[] = [];
  private aheadMs = 0;

  private constructor(
    readonly db: TestDatabase,
    readonly provider: MailProvider,
  ) {
    this.deliveries = new FindDeliveries(db.database);
    this.revival = new ReviveDelivery(db.database);
    this.consumer = new OrdersConsumer(new Contacts(), new QueueDeliveries(), this.revival, testLogger());
  }

  static async start(): Promise<Sending> {
    return new Sending(await createTestDatabase(migrations, { poolSize: 20 }), await startMailProvider());
  }

  readonly clock = () => new Date(Date.now() + this.aheadMs);

  passTime(ms: number): void {
    this.aheadMs += ms;
  }

  /** The sending part of one more instance of the service. It sends nothing until its dispatcher is woken. */
  instance(config: Partial<SendingConfig> = {}): Instance {
    const settings = { ...defaults(this.provider), ...config };
    const dispatcher = buildDispatcher(this.db.database, settings, { logger: testLogger(), clock: this.clock });
    const flight = buildLedger(this.db.database, settings, Math.random);
    const claims = { execute: async (request: ClaimRequest) => (await flight.execute([], request.now, request)).claim };
    const record = async (delivery: LeasedDelivery, outcome: Outcome, now: Date) =>
      (await flight.execute([{ delivery, outcome }], now)).recorded[0] as Recorded;
    const instance = { dispatcher, claims, record, provider: new ProviderClient(settings.mailProviderUrl, settings.mailTimeoutMs) };
    this.instances.push(instance);
    return instance;
  }

  created(orderId: string, customer: Customer = ADA, place: Place = {}): Promise<void> {
    return this.handle(place, (context) => this.consumer.onOrderCreated(createdEvent(orderId, customer, place), context));
  }

  contactUpdated(orderId: string, customer: Customer, place: Place = {}): Promise<void> {
    return this.handle(place, (context) => this.consumer.onContactUpdated(contactEvent(orderId, customer, place), context));
  }

  private handle({ partition = 0, offset = ++offsets }: Place, handler: (context: EventContext) => Promise<void>): Promise<void> {
    const call = new AbortController();
    return this.db.database.inTransaction((tx) => handler(new EventContext(tx, 'email', recordAt(partition, offset), call)));
  }

  async find(id: string): Promise<Delivery> {
    const delivery = await this.deliveries.byId(id);
    if (!delivery) throw new Error(`no delivery ${id}`);
    return delivery;
  }

  /** Waits until the delivery has that status. */
  becomes(id: string, status: Delivery['status']): Promise<Delivery> {
    const check = async () => {
      const delivery = await this.find(id);
      return delivery.status === status && delivery;
    };
    return eventually(check, { message: `${id} ${status}` });
  }

  /** Events in the outbox, oldest first. */
  async announced(): Promise<Announced[]> {
    const { rows } = await this.db.database.query<Announced>(
      `SELECT type, payload, correlation_id AS "correlationId", causation_id AS "causationId", organization_id AS "organizationId",
              traceparent
       FROM outbox ORDER BY seq`,
    );
    return rows;
  }

  /** Dead letters of the group, oldest first. */
  async letters(): Promise<Letter[]> {
    const { rows } = await this.db.database.query<Letter>(
      `SELECT event_id AS "eventId", subject, attempts, reason, state FROM dead_letters WHERE consumer = 'email' ORDER BY seq`,
    );
    return rows;
  }

  /** Between two tests. */
  async clear(): Promise<void> {
    await this.stopInstances();
    await this.db.database.query(
      'TRUNCATE deliveries, deliveries_archive, contacts, outbox, dead_letters, dead_letter_actions, dispatching',
    );
    await this.db.database.query('INSERT INTO dispatching DEFAULT VALUES');
    this.provider.control({ reset: true });
    this.aheadMs = 0;
  }

  async stop(): Promise<void> {
    await this.stopInstances();
    await this.provider.stop();
    await this.db.drop();
  }

  private async stopInstances(): Promise<void> {
    await Promise.all(this.instances.splice(0).map(({ dispatcher }) => dispatcher.stop()));
  }
}

/** Claims as the dispatcher does when it has no result to write. */
export interface Claims {
  execute(request: ClaimRequest): Promise<Claim>;
}

/** The sending part of one instance of the service, and its pieces as a test that takes the place of the dispatcher needs them. */
export interface Instance {
  readonly dispatcher: Dispatcher;
  readonly claims: Claims;
  readonly record: (delivery: LeasedDelivery, outcome: Outcome, now: Date) => Promise<Recorded>;
  readonly provider: ProviderClient;
}

export interface Letter {
  readonly eventId: string;
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string;
  readonly state: string;
}

export interface Announced {
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly correlationId: string | null;
  readonly causationId: string | null;
  readonly organizationId: string;
  readonly traceparent: string | null;
}

const defaults = ({ url }: MailProvider): SendingConfig => ({
  mailProviderUrl: url,
  mailConcurrency: 5,
  mailTimeoutMs: 1_000,
  mailLeaseMs: LEASE_MS,
  mailRetryDelaysMs: '0,0,0',
});

let offsets = 0;
