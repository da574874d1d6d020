import { eventually } from '@shopflow/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Sending } from '../sending/sending.fixture.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());
beforeEach(() => sending.clear());

/** Reminders of an organization, all due for an hour. */
const owe = (organization: string, count: number, dueIn = '-1 hour') =>
  sending.db.database.query(
    `INSERT INTO deliveries (id, kind, dedupe_key, order_id, organization_id, cause_source, cause_event_id, cause_type, cause_version,
       due_at, record_topic, record_partition, record_offset, record_timestamp, record_headers)
     SELECT $1 || '-' || n, 'receipt', $1 || '-' || n, 'ORD-' || $1, $1, 'orders', $1 || '-' || n, 'order.created', 3,
       now() + $3::interval, 'orders.events', 0, n, now(), '{}'
     FROM generate_series(1, $2::int) n`,
    [organization, count, dueIn],
  );
const known = (organization: string) =>
  sending.db.database.query(
    `INSERT INTO contacts (order_id, email, event_id, occurred_at, source_partition, source_offset) VALUES ('ORD-' || $1, $1 || '@shop.ng', 'evt', now(), 0, 0)`,
    [organization],
  );
const claim = async (free: number, worker = 'worker-a') => {
  const { deliveries } = await sending.instance().claims.execute({ worker, now: sending.clock(), free, quiet: true });
  return deliveries.map(({ id }) => id);
};
const end = () =>
  sending.db.database.query(
    `UPDATE deliveries SET status = 'sent', provider_id = 'x', locked_by = NULL, locked_until = NULL, slot_until = NULL WHERE status = 'running'`,
  );

it('claims one of each organization in turn, and more of each only when there are more slots than organizations', async () => {
  for (const organization of ['a', 'b', 'c']) await owe(organization, 10);
  expect(await claim(2)).toEqual(['a-1', 'b-1']);
  await end();
  expect(await claim(2)).toEqual(['c-1', 'a-10']);
  await end();
  const next = (await claim(5)).map((id) => id[0]);
  expect(['a', 'b', 'c'].map((organization) => next.filter((each) => each === organization).length).sort()).toEqual([1, 2, 2]);
});

it('passes over an organization whose deliveries are all waiting to be tried again', async () => {
  await owe('a', 1_000, '1 hour');
  await owe('b', 1);
  expect(await claim(5)).toEqual(['b-1']);
});

it("does not let one organization's 10,000 reminders delay another's single invoice", async () => {
  await owe('big', 10_000);
  await Promise.all(['big', 'small'].map(known));
  sending.provider.control({ delayMs: 5 });
  const { dispatcher } = sending.instance();
  dispatcher.wake();
  await eventually(() => sending.provider.stats().handled > 20);
  await owe('small', 1);
  const before = sending.provider.stats().handled;
  dispatcher.wake();
  await sending.becomes('small-1', 'sent');
  expect(sending.provider.stats().handled - before).toBeLessThan(200);
  await dispatcher.stop();
});

it('claims for three instances together no more than the provider takes', async () => {
  await owe('a', 20);
  const claimed = await Promise.all(['one', 'two', 'three'].map((worker) => claim(5, worker)));
  expect(claimed.flat()).toHaveLength(5);
});
