import { Module } from '@nestjs/common';
import { createLogger } from '@shopflow/telemetry';
import { Metrics } from '@shopflow/telemetry/metrics';
import { expect, it } from 'vitest';
import { startService } from '../start-service.js';

@Module({})
class NoService {}

it("answers with the service's figures in the text format of Prometheus", async () => {
  const logger = createLogger('audit', 'silent');
  const service = await startService({ name: 'audit', module: { module: NoService }, logger, host: '127.0.0.1', port: 0 });
  service.app.get(Metrics).meter.createCounter('shopflow.looks').add(3);
  const answer = await fetch(`${service.url}/metrics`);
  const text = await answer.text();
  await service.stop();
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('shopflow_looks_total 3\n');
  expect(text).toContain('target_info{service_name="audit"} 1\n');
});
