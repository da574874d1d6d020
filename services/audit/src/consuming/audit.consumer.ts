import { Controller } from '@nestjs/common';
import { BatchContext, SubscribeBatch } from '@shopflow/consumer';
import { AuditLog } from '../audit-log.js';
import { auditedEvents, type AuditedEvent, describeEvent, invoiceOf } from '../describe-event.js';

@Controller()
export class AuditConsumer {
  constructor(private readonly auditLog: AuditLog) {}

  @SubscribeBatch(...auditedEvents)
  record(events: readonly AuditedEvent[], { tx, records }: BatchContext): Promise<void> {
    const entries = events.map((event, index) => ({
      event,
      payload: String(records[index]?.value),
      line: describeEvent(event),
      invoice: invoiceOf(event),
    }));
    return this.auditLog.append(tx, entries);
  }
}
