import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { EventContext, Subscribe } from '@shopflow/consumer';
import { type EventOf, orderCreated } from '@shopflow/contracts';
import { sql } from '@shopflow/database';
import { startOurs } from './start-ours.js';

@Controller()
class AuditConsumer {
  @Subscribe(orderCreated)
  async record(event: EventOf<typeof orderCreated>, { tx }: EventContext): Promise<void> {
    await sql(tx, 'INSERT INTO audit_log (event_id, type, payload) VALUES ($1, $2, $3)', [event.id, event.type, event.payload]);
  }
}

await startOurs(AuditConsumer);
