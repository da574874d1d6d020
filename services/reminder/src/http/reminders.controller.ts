import { Controller, Get } from '@nestjs/common';
import { Database } from '@shopflow/database';
import { Organization, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import { findReminders } from '../persistence/reminders-table.js';
import type { Reminder } from '../reminder.js';

const RemindersQuery = Type.Object({
  invoiceId: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$', description: 'the number of an invoice, such as 1' })),
  day: Type.Optional(Type.String({ format: 'date', wanted: 'a UTC date such as 2026-11-30' })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: 'a whole number from 1 to 1000' })),
});

@Controller('reminders')
export class RemindersController {
  constructor(private readonly database: Database) {}

  /** The organization's own: the newest day first, within it by invoice. */
  @Get()
  async find(
    @Organization() organizationId: string,
    @ValidQuery(RemindersQuery) { invoiceId, day, limit = '100' }: Static<typeof RemindersQuery>,
  ): Promise<{ reminders: Reminder[] }> {
    const filter = { organizationId, invoiceId: invoiceId === undefined ? undefined : Number(invoiceId), day, limit: Number(limit) };
    return { reminders: await findReminders(this.database, filter) };
  }
}
