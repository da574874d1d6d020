import { signOrganizationToken, startService } from '@shopflow/http';
import type { Transaction } from '@shopflow/database';
import { createTestDatabase, eventually, testLogger, type TestDatabase } from '@shopflow/testing';
import type { Order } from './order.js';
import { OrdersModule } from './orders.module.js';
import { migrations } from './persistence/migrations.js';

/** An answer as a test looks at it: problems carry `errors`, orders the rest. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Order & { type: string; title: string; detail: string; errors: { field: string; message: string }[] };
}

export interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly topic: string;
  readonly aggregateid: string;
  readonly payload: Record<string, unknown>;
  readonly correlation_id: string | null;
  readonly organization_id: string;
}

const KEY = 'a key of at least thirty-two characters';

/** The header by which a request is of this organization. */
export const tokenOf = async (organization: string) => ({ authorization: `Bearer ${await signOrganizationToken(organization, KEY, 1)}` });

/** What a customer of these tests orders. */
export const ada = { customer: { email: 'ada@shop.ng', name: 'Ada' }, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' };

/** The service in this process, on a real port and a database of its own. */
export async function startOrders() {
  const db = await createTestDatabase(migrations);
  const logger = testLogger('orders', 'silent');
  const module = OrdersModule.forRoot({ databaseUrl: db.url });
  const service = await startService({ name: 'orders', module, logger, host: '127.0.0.1', port: 0, organizationKey: KEY });
  const stop = async () => {
    await service.stop();
    await db.drop();
  };
  return { ...ordersClient(service.url), ...tables(db), url: service.url, db, stop };
}

/** Speaks to the API at `url` as any caller does. */
export function ordersClient(url: string) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const answer = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...init });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
  };
  return {
    place: (body: unknown, headers?: Record<string, string>) => call('POST', '/orders', body, headers),
    find: (id: string, headers?: Record<string, string>) => call('GET', `/orders/${id}`, undefined, headers),
    correct: (id: string, contact: unknown, headers?: Record<string, string>) => call('PATCH', `/orders/${id}/contact`, contact, headers),
    cancel: (id: string, body?: unknown, headers?: Record<string, string>) => call('POST', `/orders/${id}/cancel`, body, headers),
  };
}

export function tables({ database }: Pick<TestDatabase, 'database'>) {
  return {
    /** The outbox in commit order of one order's events, or of all. */
    outbox: async (orderId?: string): Promise<OutboxRow[]> => {
      const text = 'SELECT * FROM outbox WHERE $1::text IS NULL OR aggregateid = $1 ORDER BY seq';
      return (await database.query<OutboxRow>(text, [orderId ?? null])).rows;
    },
    /**
     * Runs requests into each other: `block` takes what they need in a transaction that is rolled back once `waiting` of
     * them stand in line (the service has 10 connections).
     */
    collide: async <T>(block: (tx: Transaction) => Promise<unknown>, requests: () => Promise<T>, waiting = 10): Promise<T> => {
      const held = Promise.withResolvers<void>();
      const blocking = database.inTransaction(async (tx) => {
        await block(tx);
        held.resolve();
        await eventually(async () => (await waitingFor(database)) >= waiting, { message: `${waiting} requests in line` });
        throw new Rollback();
      });
      await Promise.race([held.promise, blocking]);
      const [answers] = await Promise.all([requests(), blocking.catch(expectRollback)]);
      return answers;
    },
    ordersStored: async (orderId?: string): Promise<number> => {
      const text = 'SELECT count(*)::int AS orders FROM orders WHERE $1::text IS NULL OR id = $1';
      return (await database.query<{ orders: number }>(text, [orderId ?? null])).rows[0]?.orders ?? 0;
    },
  };
}

class Rollback extends Error {}

function expectRollback(error: unknown): void {
  if (!(error instanceof Rollback)) throw error;
}

async function waitingFor(database: TestDatabase['database']): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query<{ n: number }>(text)).rows[0]?.n ?? 0;
}
