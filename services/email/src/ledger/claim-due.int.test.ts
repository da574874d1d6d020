import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Claims, LEASE_MS, Sending, TRACE } from '../sending/sending.fixture.js';
import type { ClaimRequest } from './claim-due.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const owe = async (...orderIds: string[]) => {
  for (const orderId of orderIds) await sending.created(orderId);
};
const claim = (claims: Claims, request: Partial<ClaimRequest> = {}) =>
  claims.execute({ worker: 'worker-a', now: sending.clock(), free: 5, quiet: true, ...request });
const ids = (claimed: Awaited<ReturnType<typeof claim>>) => claimed.deliveries.map(({ id }) => id);

describe('a claim', () => {
  it('takes what is due, the longest waiting first, with the contact as it is now', async () => {
    await owe('ORD-1', 'ORD-2');
    await sending.contactUpdated('ORD-1', { email: 'ada@new.ng', name: 'Ada' });
    const { deliveries } = await claim(sending.instance().claims);
    expect(deliveries.map(({ id, attempts, claims, contact }) => [id, attempts, claims, contact?.email])).toEqual([
      ['evt-ORD-1', 0, 1, 'ada@new.ng'],
      ['evt-ORD-2', 0, 1, 'ada@shop.ng'],
    ]);
  });

  it('gives each delivery to exactly one of two workers', async () => {
    await owe('ORD-1', 'ORD-2', 'ORD-3');
    const { claims } = sending.instance();
    const both = await Promise.all([claim(claims, { worker: 'a', free: 2 }), claim(claims, { worker: 'b', free: 2 })]);
    expect(both.flatMap(ids).sort()).toEqual(['evt-ORD-1', 'evt-ORD-2', 'evt-ORD-3']);
  });

  it('leaves no more at the provider than it takes, whoever claims', async () => {
    await owe('ORD-1', 'ORD-2', 'ORD-3', 'ORD-4');
    const instances = [sending.instance({ mailConcurrency: 3 }), sending.instance({ mailConcurrency: 3 })];
    const claimed = await Promise.all(instances.map(({ claims }, n) => claim(claims, { worker: `worker-${n}`, free: 3 })));
    expect(claimed.flatMap(ids)).toHaveLength(3);
  });

  it('frees the slots of a dead worker long before its deliveries', async () => {
    await owe('ORD-1', 'ORD-2');
    const { claims } = sending.instance({ mailConcurrency: 1, mailTimeoutMs: 5_000 });
    expect(ids(await claim(claims))).toEqual(['evt-ORD-1']);
    expect(ids(await claim(claims, { worker: 'worker-b' }))).toEqual([]);
    sending.passTime(10_001);
    expect(ids(await claim(claims, { worker: 'worker-b' }))).toEqual(['evt-ORD-2']);
    expect((await sending.find('evt-ORD-1')).status).toBe('running');
  });

  it('takes over what a worker left when the lease is over, not before', async () => {
    await owe('ORD-1');
    const { claims } = sending.instance();
    await claim(claims);
    sending.passTime(LEASE_MS - 1_000);
    expect(ids(await claim(claims, { worker: 'worker-b' }))).toEqual([]);
    sending.passTime(1_001);
    expect(await claim(claims, { worker: 'worker-b' })).toMatchObject({ alone: true, deliveries: [{ id: 'evt-ORD-1', claims: 2 }] });
  });

  it('takes what outlived a worker alone, and only when nothing else runs, so that a crash charges one', async () => {
    await owe('ORD-1', 'ORD-2', 'ORD-3');
    const { claims } = sending.instance();
    await claim(claims, { free: 2 });
    sending.passTime(LEASE_MS);
    expect(await claim(claims, { quiet: false })).toMatchObject({ deliveries: [], alone: false });
    const first = await claim(claims);
    expect(first).toMatchObject({ alone: true, deliveries: [{ id: 'evt-ORD-1' }] });
  });

  it('starts a delivery that crashes every worker three times and refuses the fourth', async () => {
    await owe('ORD-1');
    const { claims } = sending.instance();
    const rounds = [];
    for (let round = 1; round <= 4; round++) {
      rounds.push((await claim(claims, { worker: `worker-${round}` })).deliveries.length);
      sending.passTime(LEASE_MS + 1_000);
    }
    expect(rounds).toEqual([1, 1, 1, 0]);
    expect(await sending.find('evt-ORD-1')).toMatchObject({ status: 'dead', claims: 3, attempts: 0, lastError: 'crashed 3 workers' });
    expect(await sending.letters()).toEqual([
      { eventId: 'evt-ORD-1', subject: 'delivery', attempts: 0, reason: 'crashed 3 workers', state: 'open' },
    ]);
  });

  it('announces the first start alone', async () => {
    await owe('ORD-1');
    const { claims } = sending.instance();
    await claim(claims);
    sending.passTime(LEASE_MS);
    await claim(claims);
    expect(await sending.announced()).toEqual([
      {
        type: 'email.started',
        payload: { orderId: 'ORD-1', number: null, deliveryId: 'evt-ORD-1', kind: 'receipt', causeEventId: 'evt-ORD-1' },
        correlationId: 'req-7f3a',
        causationId: 'evt-ORD-1',
        organizationId: 'shopflow',
        traceparent: TRACE,
      },
    ]);
  });
});
