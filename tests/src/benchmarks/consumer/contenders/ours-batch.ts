import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { type EventOf, orderCreated } from '@shopflow/contracts';
import { sql } from '@shopflow/database';
import { startOurs } from './start-ours.js';

@Controller()
class AuditConsumer {
  @SubscribeBatch(orderCreated)
  async record(events: readonly EventOf<typeof orderCreated>[], { tx }: BatchContext): Promise<void> {
    await sql(tx, 'INSERT INTO audit_log (event_id, type, payload) SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])', [
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ payload }) => payload),
    ]);
  }
}

await startOurs(AuditConsumer);
