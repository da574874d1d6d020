import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule } from '@shopflow/consumer';
import { DatabaseModule } from '@shopflow/database';
import type { Logger } from '@shopflow/telemetry';
import { Revenue } from './revenue.js';
import type { AnalyticsConfig } from './config.js';
import { RevenueConsumer } from './consuming/revenue.consumer.js';
import { RevenueController } from './http/revenue.controller.js';

@Module({})
export class AnalyticsModule {
  static forRoot(config: AnalyticsConfig, logger: Logger): DynamicModule {
    return {
      module: AnalyticsModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'analytics' }),
        ConsumerModule.forRoot({ group: 'analytics', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger }),
      ],
      controllers: [RevenueConsumer, RevenueController],
      providers: [Revenue],
    };
  }
}
