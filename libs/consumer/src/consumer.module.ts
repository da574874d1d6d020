import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { KafkaGroup } from './kafka-group.js';
import { CONSUMER_OPTIONS, type ConsumerOptions } from './options.js';

/** Provides the service's {@link KafkaGroup}, on the `Database` of its DatabaseModule. */
@Module({})
export class ConsumerModule {
  static forRoot(options: ConsumerOptions): DynamicModule {
    return {
      module: ConsumerModule,
      imports: [DiscoveryModule],
      providers: [{ provide: CONSUMER_OPTIONS, useValue: options }, KafkaGroup],
      exports: [KafkaGroup],
    };
  }
}
