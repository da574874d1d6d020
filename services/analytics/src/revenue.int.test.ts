import type { EventOf, orderCancelled, orderCreated } from '@shopflow/contracts';
import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './persistence/migrations.js';
import { Revenue } from './revenue.js';

let test: TestDatabase;
let revenue: Revenue;
beforeAll(async () => {
  test = await createTestDatabase(migrations);
  revenue = new Revenue(test.database);
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query('TRUNCATE revenue, counted_orders');
});

type Created = EventOf<typeof orderCreated>;
type Cancelled = EventOf<typeof orderCancelled>;
type Channel = Created['payload']['channel'];

const header = {
  version: 3,
  source: 'orders',
  correlationId: null,
  causationId: null,
  organizationId: 'shopflow',
  traceparent: null,
  tracestate: null,
};

const created = (orderId: string, totalKobo: number, channel: Channel = 'web', time = '2026-10-05T10:00:00Z'): Created => ({
  ...header,
  id: `evt-${orderId}`,
  type: 'order.created',
  subject: orderId,
  time: new Date(time),
  payload: { orderId, customer: { email: 'ada@shop.ng', name: null }, totalKobo, currency: 'NGN', channel },
});

const cancelled = (orderId: string): Cancelled => ({
  ...header,
  id: `evt-${orderId}:cancelled`,
  type: 'order.cancelled',
  subject: orderId,
  time: new Date('2026-10-09T10:00:00Z'),
  payload: { orderId, reason: null },
});

const count = (...events: (Created | Cancelled)[]) => test.database.inTransaction((tx) => revenue.count(tx, events));
const report = () => revenue.between('2026-10-01', '2026-10-31');

describe('Revenue', () => {
  it('adds up a batch per UTC day and channel', async () => {
    await count(
      created('ORD-1', 900_000, 'unknown'),
      created('ORD-2', 2_500_000),
      created('ORD-3', 450_000, 'web', '2026-10-06T00:00:00+01:00'),
    );
    await count(created('ORD-4', 1, 'web', '2026-10-06T00:00:00Z'));
    expect(await report()).toEqual([
      { day: '2026-10-05', channel: 'unknown', totalKobo: '900000', orders: 1 },
      { day: '2026-10-05', channel: 'web', totalKobo: '2950000', orders: 2 },
      { day: '2026-10-06', channel: 'web', totalKobo: '1', orders: 1 },
    ]);
  });

  it('takes a cancellation from the day and channel of its order', async () => {
    await count(created('ORD-1', 900_000), created('ORD-2', 100));
    await count(cancelled('ORD-1'));
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '100', orders: 1 }]);
  });

  it('counts an order once, also when several events say that it was created', async () => {
    await count(created('ORD-1', 900_000), { ...created('ORD-1', 900_000), id: 'evt-other' });
    await count({ ...created('ORD-1', 900_000), id: 'evt-later' });
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '900000', orders: 1 }]);
  });

  it('takes an order back once, also when several events say that it was cancelled', async () => {
    await count(created('ORD-1', 900_000));
    await count(cancelled('ORD-1'), { ...cancelled('ORD-1'), id: 'evt-other' });
    await count({ ...cancelled('ORD-1'), id: 'evt-later' });
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '0', orders: 0 }]);
  });

  it('never counts an order whose cancellation came first', async () => {
    await count(cancelled('ORD-1'));
    await count(created('ORD-1', 900_000), created('ORD-2', 5));
    await count(created('ORD-1', 900_000));
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '5', orders: 1 }]);
  });

  it('counts the first of two events that disagree about one order, in a batch as over two', async () => {
    await count(created('ORD-1', 100), { ...created('ORD-1', 7), id: 'evt-other' });
    await count(created('ORD-2', 100));
    await count({ ...created('ORD-2', 7), id: 'evt-other-2' });
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '200', orders: 2 }]);
  });

  it('nets a creation and its cancellation in one batch, whichever comes first', async () => {
    await count(created('ORD-1', 100), cancelled('ORD-1'), cancelled('ORD-2'), created('ORD-2', 100), created('ORD-3', 5));
    expect(await report()).toEqual([{ day: '2026-10-05', channel: 'web', totalKobo: '5', orders: 1 }]);
  });

  it('is exact beyond what a JavaScript number holds', async () => {
    await count(created('ORD-1', Number.MAX_SAFE_INTEGER), created('ORD-2', 2));
    expect((await report())[0]?.totalKobo).toBe('9007199254740993');
  });

  it('does not deadlock when many transactions write the same days, creations and cancellations mixed, in opposite orders', async () => {
    const days = ['2026-10-05T10:00:00Z', '2026-10-06T10:00:00Z', '2026-10-07T10:00:00Z'];
    const batch = (n: number) =>
      (n % 2 === 0 ? days : [...days].reverse()).flatMap((day, index) => [
        created(`ORD-${n}-${index}`, 10, 'web', day),
        created(`ORD-${n}-${index}-regret`, 1, 'web', day),
        cancelled(`ORD-${n}-${index}-regret`),
      ]);
    await Promise.all(Array.from({ length: 30 }, (_, n) => count(...batch(n))));
    expect((await report()).map(({ totalKobo }) => totalKobo)).toEqual(['300', '300', '300']);
  });
});
