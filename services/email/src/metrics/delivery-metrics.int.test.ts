import { Metrics } from '@shopflow/telemetry/metrics';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sending } from '../sending/sending.fixture.js';
import { DeliveryMetrics, observeLine } from './delivery-metrics.js';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.start();
});
afterAll(() => sending.stop());

const NOW = new Date('2026-10-05T09:05:00Z');
const created = (id: string, at: string) =>
  sending.db.database.query('UPDATE deliveries SET created_at = $2 WHERE id = $1', [`evt-${id}`, at]);

it('tells how long the oldest delivery has waited: 300 s, 30 s once it is sent, 0 when none waits', async () => {
  const metrics = new Metrics('email');
  observeLine(metrics.meter, sending.deliveries, () => NOW);
  const oldest = async () => /^deliveries_oldest_waiting_seconds (\S+)$/m.exec(await metrics.text())?.[1];
  expect(await oldest()).toBe('0');
  await sending.created('ORD-1');
  await sending.created('ORD-2');
  await created('ORD-1', '2026-10-05T09:00:00Z');
  await created('ORD-2', '2026-10-05T09:04:30Z');
  expect(await oldest()).toBe('300');
  expect(await metrics.text()).toContain('deliveries_queue_depth{status="queued"} 2');
  await sending.db.database.query(`UPDATE deliveries SET status = 'sent', provider_id = 'msg_1', sent_at = now() WHERE id = 'evt-ORD-1'`);
  expect(await oldest()).toBe('30');
  await metrics.close();
});

it('counts what was sent by kind and what died by reason', async () => {
  const metrics = new Metrics('email');
  const figures = new DeliveryMetrics(metrics.meter);
  figures.sent('invoice', 12);
  figures.sent('invoice', 40);
  for (const kind of ['permanent', 'exhausted', 'crashed'] as const) figures.dead(kind);
  const text = await metrics.text();
  expect(text).toContain('deliveries_sent_total{kind="invoice"} 2');
  expect(text).toContain('deliveries_duration_ms_count 2');
  for (const reason of ['rejected', 'retries-exhausted', 'crashed']) expect(text).toContain(`deliveries_dead_total{reason="${reason}"} 1`);
  await metrics.close();
});

it('tells whether the breaker is open', async () => {
  const metrics = new Metrics('email');
  observeLine(metrics.meter, sending.deliveries);
  const down = async () => /^deliveries_provider_down (\S+)$/m.exec(await metrics.text())?.[1];
  expect(await down()).toBe('0');
  await sending.db.database.query('UPDATE dispatching SET open_since = now(), probe_at = now()');
  expect(await down()).toBe('1');
  await metrics.close();
});
