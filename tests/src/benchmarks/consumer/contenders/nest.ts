// A Kafka microservice as Nest's documentation shows it, with TypeORM as in its recipe: claim and row in one transaction per event.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, KafkaContext, type MicroserviceOptions, Payload, Transport } from '@nestjs/microservices';
import { physicalGroup } from '@shopflow/kafka';
import { Column, DataSource, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { contenderSettings, ready } from '../contender.js';

const { brokers, databaseUrl, namespace, topic, group, partitionsAtOnce } = contenderSettings();

@Entity('processed_events')
class ProcessedEvent {
  @PrimaryColumn({ type: 'text' }) consumer!: string;
  @PrimaryColumn({ type: 'text' }) source!: string;
  @PrimaryColumn({ type: 'text', name: 'event_id' }) eventId!: string;
}

@Entity('audit_log')
class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) seq!: string;
  @Column({ type: 'text', name: 'event_id' }) eventId!: string;
  @Column({ type: 'text' }) type!: string;
  @Column({ type: 'jsonb' }) payload!: object;
}

@Controller()
class AuditController {
  constructor(private readonly database: DataSource) {}

  @EventPattern<string>(topic)
  async record(@Payload() payload: object, @Ctx() context: KafkaContext): Promise<void> {
    const { headers = {} } = context.getMessage();
    const eventId = String(headers['ce_id']);
    await this.database.transaction(async (tx) => {
      const claim = { consumer: group, source: String(headers['ce_source']), eventId };
      const claimed = await tx.createQueryBuilder().insert().into(ProcessedEvent).values(claim).orIgnore().returning('event_id').execute();
      if ((claimed.raw as unknown[]).length === 0) return; // seen before
      await tx.insert(AuditEntry, { eventId, type: String(headers['ce_type']), payload });
    });
  }
}

const database = {
  provide: DataSource,
  useFactory: () => new DataSource({ type: 'postgres', url: databaseUrl, entities: [AuditEntry, ProcessedEvent] }).initialize(),
};

@Module({ controllers: [AuditController], providers: [database] })
class AppModule {}

const app = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule, {
  logger: ['error', 'warn'],
  transport: Transport.KAFKA,
  options: {
    client: { clientId: 'nest', brokers: brokers.split(',') },
    consumer: { groupId: physicalGroup(namespace, group), allowAutoTopicCreation: false },
    postfixId: '',
    subscribe: { fromBeginning: true },
    run: partitionsAtOnce === undefined ? {} : { partitionsConsumedConcurrently: partitionsAtOnce },
  },
});
await app.listen();
ready();
