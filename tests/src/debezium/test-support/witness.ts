import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConsumerModule, consumerMigrations, KafkaGroup, Subscribe } from '@shopflow/consumer';
import { type EventOf, orderCreated } from '@shopflow/contracts';
import { Database } from '@shopflow/database';
import { createTestDatabase, eventually, kafkaBrokers, type TestDatabase, testLogger } from '@shopflow/testing';

type OrderCreated = EventOf<typeof orderCreated>;

/** A consumer group as every service has one; it remembers what its handler was given. */
export class Witness {
  private constructor(
    /** By event id, as the handler saw it. */
    readonly events: ReadonlyMap<string, OrderCreated>,
    private readonly test: TestDatabase,
    private readonly close: () => Promise<void>,
  ) {}

  static async join(namespace: string): Promise<Witness> {
    const test = await createTestDatabase(consumerMigrations);
    const events = new Map<string, OrderCreated>();
    const app = await NestFactory.createMicroservice(moduleOf(events, namespace, test.database), {
      logger: false,
      useFactory: (strategy: KafkaGroup) => ({ strategy }),
      inject: [KafkaGroup],
    });
    await app.listen();
    await eventually(
      () =>
        app
          .get(KafkaGroup)
          .check()
          .then(() => true),
      { message: 'the witness has joined' },
    );
    return new Witness(events, test, () => app.close());
  }

  /** How many events its group took charge of, and how many became dead letters. */
  async counts(): Promise<{ processed: number; dead: number }> {
    const { rows } = await this.test.database.query<{ processed: number; dead: number }>(
      `SELECT (SELECT count(*)::int FROM processed_events) AS processed, (SELECT count(*)::int FROM dead_letters) AS dead`,
    );
    return rows[0]!;
  }

  async leave(): Promise<void> {
    await this.close();
    await this.test.drop();
  }
}

@Module({})
class WitnessModule {}

@Module({})
class WitnessDatabaseModule {}

function moduleOf(events: Map<string, OrderCreated>, namespace: string, database: Database) {
  @Controller()
  class WitnessConsumer {
    @Subscribe(orderCreated)
    onOrderCreated(event: OrderCreated): void {
      events.set(event.id, event);
    }
  }
  const databaseModule = {
    module: WitnessDatabaseModule,
    global: true,
    providers: [{ provide: Database, useValue: database }],
    exports: [Database],
  };
  const consumerModule = ConsumerModule.forRoot({ group: 'witness', brokers: kafkaBrokers(), namespace, logger: testLogger() });
  return { module: WitnessModule, imports: [databaseModule, consumerModule], controllers: [WitnessConsumer] };
}
