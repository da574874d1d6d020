import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { GroupStatusController } from './group-status.controller.js';
import { KafkaGroup } from './kafka-group.js';
import { CONSUMER_OPTIONS, type ConsumerOptions } from './options.js';

/** Provides the service's {@link KafkaGroup}, on the `Database` of its DatabaseModule, and `GET /status/consumer`. */
@Module({})
export class ConsumerModule {
  static forRoot(options: ConsumerOptions): DynamicModule {
    return {
      module: ConsumerModule,
      imports: [DiscoveryModule],
      controllers: [GroupStatusController],
      providers: [{ provide: CONSUMER_OPTIONS, useValue: options }, KafkaGroup],
      exports: [KafkaGroup],
    };
  }
}
