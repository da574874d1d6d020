import { Controller, Get, Header } from '@nestjs/common';
import { Metrics, METRICS_TYPE } from '@shopflow/telemetry/metrics';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** The service's figures, for Prometheus. */
  @Get()
  @Header('content-type', METRICS_TYPE)
  text(): Promise<string> {
    return this.metrics.text();
  }
}
