import { Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database } from '@shopflow/database';
import { eventually, kafkaBrokers, testLogger } from '@shopflow/testing';
import { ConsumerModule, type ConsumerOptions, KafkaGroup } from '../index.js';

@Global()
@Module({})
class TestDatabaseModule {}

@Module({})
class TestServiceModule {}

export interface RunningGroup {
  readonly group: KafkaGroup;
  stop(): Promise<void>;
}

export interface TestGroupOptions extends Partial<ConsumerOptions> {
  readonly namespace: string;
  readonly database: Database;
  readonly controllers: readonly Type[];
}

/** Quick enough for a test, and still a pause. */
const BACKOFF = { firstMs: 50, mostMs: 200 };

/** A service in small: a Nest application as one member of a group, called `audit` unless said otherwise, that has joined. */
export async function startGroup({ database, controllers, ...options }: TestGroupOptions): Promise<RunningGroup> {
  const databaseProvider = { provide: Database, useValue: database };
  const root = {
    module: TestServiceModule,
    imports: [
      { module: TestDatabaseModule, providers: [databaseProvider], exports: [Database] },
      ConsumerModule.forRoot({ group: 'audit', brokers: kafkaBrokers(), logger: testLogger(), backoff: BACKOFF, ...options }),
    ],
    controllers: [...controllers],
  };
  const app = await NestFactory.createMicroservice(root, {
    logger: false,
    abortOnError: false,
    useFactory: (strategy: KafkaGroup) => ({ strategy }),
    inject: [KafkaGroup],
  });
  await app.listen();
  const group = app.get(KafkaGroup);
  await eventually(() => group.check().then(() => true), { message: 'the group has joined' });
  return { group, stop: () => app.close() };
}
