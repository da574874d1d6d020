import { expect, it } from 'vitest';
import { Metrics } from './metrics.js';

it('shows counters, gauges and histograms as Prometheus reads them, and whose they are', async () => {
  const metrics = new Metrics('relay');
  metrics.meter.createCounter('shopflow.events').add(2, { source: 'orders' });
  metrics.meter.createGauge('shopflow.backlog').record(7);
  const advice = { explicitBucketBoundaries: [0.1, 1] };
  metrics.meter.createHistogram('shopflow.send.seconds', { description: 'time', advice }).record(0.5);
  const lines = (await metrics.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'target_info{service_name="relay"} 1',
      '# TYPE shopflow_events_total counter',
      'shopflow_events_total{source="orders"} 2',
      'shopflow_backlog 7',
      '# HELP shopflow_send_seconds time',
      'shopflow_send_seconds_count 1',
      'shopflow_send_seconds_bucket{le="0.1"} 0',
      'shopflow_send_seconds_bucket{le="1"} 1',
    ]),
  );
  await metrics.close();
});

it('forgets a gauge that is not observed any more, and keeps what was counted', async () => {
  const metrics = new Metrics('relay');
  let known = true;
  metrics.meter.createObservableGauge('shopflow.age').addCallback((result) => {
    if (known) result.observe(5, { source: 'orders' });
  });
  metrics.meter.createObservableCounter('shopflow.seen').addCallback((result) => result.observe(9));
  metrics.meter.createCounter('shopflow.counted').add(1);
  expect(await metrics.text()).toContain('shopflow_age{source="orders"} 5');
  known = false;
  const text = await metrics.text();
  expect(text).not.toContain('shopflow_age{');
  expect(text).toContain('shopflow_seen_total 9');
  expect(text).toContain('shopflow_counted_total 1');
  await metrics.close();
});

it('shows the rest when one figure cannot be read', async () => {
  const metrics = new Metrics('relay');
  metrics.meter.createObservableGauge('shopflow.unknown').addCallback(() => Promise.reject(new Error('the database is away')));
  metrics.meter.createObservableGauge('shopflow.known').addCallback((result) => result.observe(1));
  const text = await metrics.text();
  expect(text).toContain('shopflow_known 1');
  expect(text).not.toContain('shopflow_unknown');
  await metrics.close();
});
