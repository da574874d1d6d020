import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Sending } from './sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

const owe = async (count: number) => {
  for (let n = 1; n <= count; n++) await sending.created(`ORD-${n}`);
};
const flights = async () => {
  const { rows } = await sending.db.database.query<{ n: number }>(
    `SELECT count(DISTINCT xid)::int AS n FROM outbox WHERE type = 'email.sent'`,
  );
  return rows[0]?.n ?? 0;
};

it('writes the results of the same moment down together', async () => {
  await owe(5);
  sending.provider.control({ delayMs: 50 });
  sending.instance().dispatcher.wake();
  for (let n = 1; n <= 5; n++) await sending.becomes(`evt-ORD-${n}`, 'sent');
  expect(await flights()).toBeLessThan(5);
});

it('writes the others down when one of them cannot be, and goes on', async () => {
  await sending.db.database.query(
    `ALTER TABLE outbox ADD CONSTRAINT poison CHECK (type <> 'email.sent' OR payload->>'orderId' <> 'ORD-2')`,
  );
  await owe(5);
  sending.provider.control({ delayMs: 50 });
  const { dispatcher } = sending.instance();
  dispatcher.wake();
  for (const n of [1, 3, 4, 5]) await sending.becomes(`evt-ORD-${n}`, 'sent');
  expect(await sending.find('evt-ORD-2')).toMatchObject({ status: 'running' });
  await sending.created('ORD-6');
  dispatcher.wake();
  await sending.becomes('evt-ORD-6', 'sent');
  await sending.db.database.query('ALTER TABLE outbox DROP CONSTRAINT poison');
  expect(sending.provider.stats().handled).toBe(6);
});

it('keeps three instances together below what the provider takes', async () => {
  await owe(40);
  sending.provider.control({ delayMs: 10 });
  const instances = [1, 2, 3].map(() => sending.instance());
  await eventually(async () => {
    for (const { dispatcher } of instances) dispatcher.wake();
    return sending.provider.inbox().length === 40;
  });
  expect(sending.provider.stats()).toMatchObject({ handled: 40 });
  expect(sending.provider.stats().mostAtOnce).toBeLessThanOrEqual(5);
});
