import { Metrics } from '@shopflow/telemetry/metrics';
import { expect, it } from 'vitest';
import type { DatabaseReport } from '../source/database-report.js';
import type { SourceState } from '../source/source-status.js';
import { RelayMetrics } from './relay-metrics.js';

const report = {
  waiting: 12,
  oldestAgeSeconds: 3.5,
  slotKeptBytes: 4096,
  slotLagBytes: 128,
  safeWalBytes: null,
  setAsideKeys: 1,
  setAsideEvents: 2,
} as DatabaseReport;

function watched(database: () => DatabaseReport | null) {
  const metrics = new Metrics('relay');
  const relay = new RelayMetrics(metrics.meter);
  const status: { state: SourceState; published: number } = { state: 'active', published: 40 };
  relay.watch({ name: 'orders', status, watch: { read: () => Promise.resolve(database()) } });
  const lines = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('shopflow_'));
  return { relay, status, lines };
}

it('shows what an SRE needs of a source', async () => {
  const { relay, lines } = watched(() => report);
  relay.sent('orders', 30, 0.004);
  relay.sent('orders', 10, 0.06);
  relay.deleted('orders', 2_000);
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'shopflow_relay_oldest_unpublished_age_seconds{source="orders"} 3.5',
      'shopflow_relay_backlog_events{source="orders"} 12',
      'shopflow_relay_slot_kept_bytes{source="orders"} 4096',
      'shopflow_relay_slot_lag_bytes{source="orders"} 128',
      'shopflow_relay_set_aside_keys{source="orders"} 1',
      'shopflow_relay_set_aside_events{source="orders"} 2',
      'shopflow_relay_database_up{source="orders"} 1',
      'shopflow_relay_state{source="orders",state="active"} 1',
      'shopflow_relay_state{source="orders",state="standby"} 0',
      'shopflow_relay_published_events_total{source="orders"} 40',
      'shopflow_relay_batches_total{source="orders"} 2',
      'shopflow_relay_batch_size_events_sum{source="orders"} 40',
      'shopflow_relay_send_duration_seconds_bucket{source="orders",le="0.005"} 1',
      'shopflow_relay_send_duration_seconds_count{source="orders"} 2',
      'shopflow_relay_retention_deleted_rows_total{source="orders"} 2000',
    ]),
  );
});

it('drops what the database said once it does not answer any more, and goes on with what the relay knows itself', async () => {
  let database: DatabaseReport | null = report;
  const { status, lines } = watched(() => database);
  await lines();
  database = null;
  status.state = 'waiting for broker';
  const after = await lines();
  expect(after.filter((line) => /backlog|age|slot|aside/.test(line))).toEqual([]);
  expect(after).toContain('shopflow_relay_database_up{source="orders"} 0');
  expect(after).toContain('shopflow_relay_state{source="orders",state="waiting for broker"} 1');
  expect(after).toContain('shopflow_relay_state{source="orders",state="active"} 0');
});
