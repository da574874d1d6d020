import { type DynamicModule, Module } from '@nestjs/common';
import { ConsumerModule } from '@shopflow/consumer';
import { DatabaseModule } from '@shopflow/database';
import type { Logger } from '@shopflow/telemetry';
import { AuditLog } from './audit-log.js';
import type { AuditConfig } from './config.js';
import { AuditConsumer } from './consuming/audit.consumer.js';
import { AuditController } from './http/audit.controller.js';

@Module({})
export class AuditModule {
  static forRoot(config: AuditConfig, logger: Logger): DynamicModule {
    return {
      module: AuditModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl, applicationName: 'audit' }),
        ConsumerModule.forRoot({ group: 'audit', brokers: config.kafkaBrokers, namespace: config.shopflowNamespace, logger }),
      ],
      controllers: [AuditConsumer, AuditController],
      providers: [AuditLog],
    };
  }
}
