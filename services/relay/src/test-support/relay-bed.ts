import { Pool } from 'pg';
import { decideEntries } from '../set-aside/decide-entries.js';
import { outboxMigrations } from '@shopflow/outbox';
import {
  createTestDatabase,
  eventually,
  kafkaBrokers,
  readTopic,
  type TestDatabase,
  testLogger,
  uniqueNamespace,
  uniqueTopic,
} from '@shopflow/testing';
import { expect } from 'vitest';
import { type SourceOptions, SourceRelay } from '../source/source-relay.js';
import type { SourceState } from '../source/source-status.js';

/** An outbox, its topic, and relays between them. */
export class RelayBed {
  private readonly relays: SourceRelay[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly namespace: string,
    readonly topic: string,
  ) {}

  /** @param topic false leaves it to the test */
  static async create(options: { topic?: boolean; maxMessageBytes?: number; partitions?: number } = {}): Promise<RelayBed> {
    const namespace = uniqueNamespace();
    const { topic: wanted = true, partitions = 3, ...spec } = options;
    const [database, topic] = await Promise.all([
      createTestDatabase(outboxMigrations),
      wanted ? uniqueTopic({ namespace, name: 'orders.events', partitions, ...spec }) : `${namespace}.orders.events`,
    ]);
    return new RelayBed(database, namespace, topic);
  }

  async remove(): Promise<void> {
    await Promise.all(this.relays.map((relay) => relay.stop()));
    await this.database.drop();
  }

  relay(overrides: Partial<SourceOptions> = {}): SourceRelay {
    const { namespace } = this;
    const options = { name: 'orders', databaseUrl: this.database.url, namespace, brokers: kafkaBrokers(), logger: testLogger('relay') };
    const relay = new SourceRelay({ ...options, ...overrides });
    this.relays.push(relay);
    relay.start();
    return relay;
  }

  async active(overrides: Partial<SourceOptions> = {}): Promise<SourceRelay> {
    const relay = this.relay(overrides);
    await reaches(relay, 'active');
    return relay;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.database.database.query(text, values)).rows;
  }

  async insert(id: string, { key = 'ORD-1', payload = '{}' }: { key?: string; payload?: string } = {}): Promise<void> {
    await this.query(INSERT, [id, key, payload]);
  }

  /** What an operator does with an event that is set aside. */
  async decide(what: 'retry' | 'discard', eventId: string): Promise<void> {
    const pool = new Pool({ connectionString: this.database.url, max: 1 });
    await decideEntries(pool, [eventId], { what, behind: false, dryRun: false, who: 'ada', why: 'test' });
    await pool.end();
  }

  /** Waits until the topic holds exactly these events in this order. */
  async holds(...ids: string[]): Promise<void> {
    await eventually(async () => {
      expect(await this.eventIds()).toEqual(ids);
      return true;
    });
  }

  async eventIds(): Promise<string[]> {
    return (await readTopic(this.topic)).map(({ headers }) => String(headers?.['ce_id']));
  }
}

export const INSERT = `INSERT INTO outbox (id, aggregateid, type, version, topic, payload) VALUES ($1, $2, 'order.created', 1, 'orders.events', $3)`;

export const reaches = (relay: SourceRelay, state: SourceState) =>
  eventually(() => relay.status.state === state, { message: `state ${state} of a relay that is ${relay.status.state}` });
