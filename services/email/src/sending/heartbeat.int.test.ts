import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Sending } from './sending.fixture.js';

const LEASE_MS = 300;

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const leaseEnd = async () => {
  const { rows } = await sending.db.database.query<{ until: Date | null }>('SELECT locked_until AS until FROM deliveries');
  return rows[0]?.until?.getTime() ?? 0;
};

it('keeps the lease of a call that takes three times as long, though another instance looks for what has expired', async () => {
  await sending.created('ORD-1');
  sending.provider.control({ delayMs: 3 * LEASE_MS });
  sending.instance({ mailLeaseMs: LEASE_MS }).dispatcher.wake();
  await eventually(() => sending.provider.stats().atOnce === 1);
  const first = await leaseEnd();
  const other = sending.instance({ mailLeaseMs: LEASE_MS });
  await eventually(async () => {
    other.dispatcher.wake();
    return (await sending.find('evt-ORD-1')).status === 'sent' || ((await leaseEnd()) > first + LEASE_MS && (await leaseEnd()));
  });
  expect(await sending.becomes('evt-ORD-1', 'sent')).toMatchObject({ claims: 1, attempts: 1 });
  expect(sending.provider.stats().handled).toBe(1);
});

it('stops with the worker: a lease that nobody renews is taken over', async () => {
  await sending.created('ORD-1');
  const { claims } = sending.instance({ mailLeaseMs: LEASE_MS });
  await claims.execute({ worker: 'dead', now: sending.clock(), free: 1, quiet: true });
  const { dispatcher } = sending.instance({ mailLeaseMs: LEASE_MS });
  await eventually(async () => {
    dispatcher.wake();
    return (await sending.find('evt-ORD-1')).status === 'sent';
  });
  expect(await sending.find('evt-ORD-1')).toMatchObject({ claims: 2, attempts: 1 });
});
