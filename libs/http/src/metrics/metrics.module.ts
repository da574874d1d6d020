import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '@shopflow/telemetry/metrics';
import { MetricsController } from './metrics.controller.js';

/** `/metrics` for every service; inject {@link Metrics} to add figures. */
@Module({})
export class MetricsModule {
  static of(service: string): DynamicModule {
    const metrics = { provide: Metrics, useFactory: () => new Metrics(service) };
    return { module: MetricsModule, global: true, controllers: [MetricsController], providers: [metrics], exports: [Metrics] };
  }
}
