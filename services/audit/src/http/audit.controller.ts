import { Controller, Get } from '@nestjs/common';
import { Problem, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import { type AuditEntry, AuditLog } from '../audit-log.js';

const AuditQuery = Type.Object({
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  correlationId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'the last seq of the page before' })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: 'a whole number from 1 to 1000' })),
});

@Controller('audit')
export class AuditController {
  constructor(private readonly auditLog: AuditLog) {}

  @Get()
  async find(@ValidQuery(AuditQuery) query: Static<typeof AuditQuery>): Promise<{ entries: AuditEntry[] }> {
    const { orderId, correlationId, after = '0', limit = '100' } = query;
    if (orderId === undefined && correlationId === undefined) {
      throw new Problem({ status: 400, kind: 'invalid-request', detail: 'Give orderId, correlationId or both.' });
    }
    return { entries: await this.auditLog.find({ orderId, correlationId, after: Number(after), limit: Number(limit) }) };
  }
}
