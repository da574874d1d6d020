import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '@shopflow/http';
import type { Logger } from '@shopflow/telemetry';
import { Metrics } from '@shopflow/telemetry/metrics';
import type { RelayConfig } from './config.js';
import { StatusController } from './http/status.controller.js';
import { Relay } from './relay.js';

@Module({})
export class RelayModule {
  static forRoot(config: RelayConfig, logger: Logger): DynamicModule {
    const useFactory = (readiness: Readiness, metrics: Metrics) => {
      const relay = new Relay(config, logger, metrics);
      relay.addChecks(readiness);
      return relay;
    };
    return {
      module: RelayModule,
      controllers: [StatusController],
      providers: [{ provide: Relay, inject: [Readiness, Metrics], useFactory }],
    };
  }
}
