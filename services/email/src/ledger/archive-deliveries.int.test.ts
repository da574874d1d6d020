import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sending } from '../sending/sending.fixture.js';
import { ArchiveDeliveries } from './archive-deliveries.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const inLedger = async () => (await sending.db.database.query<{ n: number }>('SELECT count(*)::int AS n FROM deliveries')).rows[0]!.n;

/** Rows as they lie in the ledger a hundred days after they were sent. */
const insertSent = (count: number) =>
  sending.db.database.query(
    `INSERT INTO deliveries (id, kind, dedupe_key, order_id, organization_id, cause_source, cause_event_id, cause_type, cause_version,
       status, provider_id, created_at, sent_at, record_topic, record_partition, record_offset, record_timestamp, record_headers)
     SELECT 'old-' || n, 'receipt', 'receipt:old-' || n, 'ORD-old', 'shopflow', 'orders', 'old-' || n, 'order.created', 3,
       'sent', 'msg_' || n, now() - interval '101 days', now() - interval '100 days' + n * interval '1 second', 'orders.events', 0, n, now(), '{}'
     FROM generate_series(1, $1::int) n`,
    [count],
  );

it('moves what was sent long ago, in two steps, and sends nothing of it a second time', async () => {
  const now = new Date();
  const archive = new ArchiveDeliveries(sending.db.database, 90);
  await insertSent(2_500);
  await sending.created('ORD-queued');
  await sending.db.database.query(`UPDATE deliveries SET created_at = now() - interval '200 days' WHERE id = 'evt-ORD-queued'`);

  expect(await archive.execute(now)).toEqual({ copied: 2_500, moved: 0 });
  await sending.created('ORD-old', undefined, { eventId: 'old-7' });
  expect(await archive.execute(new Date(now.getTime() + HOUR_MS / 2))).toMatchObject({ moved: 0 });
  expect(await archive.execute(new Date(now.getTime() + HOUR_MS + 1_000))).toEqual({ copied: 0, moved: 2_500 });
  expect(await inLedger()).toBe(1);

  await sending.created('ORD-old', undefined, { eventId: 'old-7' });
  expect(await inLedger()).toBe(1);
  expect(await sending.find('old-7')).toMatchObject({ status: 'sent', providerId: 'msg_7', orderId: 'ORD-old' });
  expect(await sending.revival.replay('old-7', { who: 'ngozi', why: 'test' })).toBe(false);
});

it('leaves what was sent lately', async () => {
  const archive = new ArchiveDeliveries(sending.db.database, 90);
  await sending.db.database.query('TRUNCATE deliveries, deliveries_archive');
  await insertSent(3);
  expect(await archive.execute(new Date(Date.now() - 11 * DAY_MS))).toEqual({ copied: 0, moved: 0 });
});
