import { Controller, Get } from '@nestjs/common';
import { Organization, Problem, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import { type AuditEntry, AuditLog } from '../audit-log.js';

const AuditQuery = Type.Object({
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  invoice: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  correlationId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'the last seq of the page before' })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: 'a whole number from 1 to 1000' })),
});

@Controller('audit')
export class AuditController {
  constructor(private readonly auditLog: AuditLog) {}

  @Get()
  async find(
    @Organization() organizationId: string,
    @ValidQuery(AuditQuery) { after = '0', limit = '100', ...about }: Static<typeof AuditQuery>,
  ): Promise<{ entries: AuditEntry[] }> {
    if (Object.keys(about).length === 0) {
      throw new Problem({ status: 400, kind: 'invalid-request', detail: 'Give orderId, invoice, correlationId or several of them.' });
    }
    return { entries: await this.auditLog.find({ organizationId, ...about, after: Number(after), limit: Number(limit) }) };
  }
}
