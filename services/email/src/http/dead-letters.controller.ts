import { Controller, Get } from '@nestjs/common';
import { type DeadLetterState, listDeadLetters } from '@shopflow/consumer';
import { Database } from '@shopflow/database';
import { Organization, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import { GROUP } from '../ledger/dead-letter.js';

const ListQuery = Type.Object({
  state: Type.Optional(Type.Enum(['open', 'replayed', 'discarded'])),
  eventId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

/** One thing of the group that was given up. `subject` is `delivery` for an e-mail, empty for an event that was never handled. */
export interface LetterSummary {
  readonly consumer: string;
  readonly eventId: string;
  readonly subject: string;
  readonly orderId: string | null;
  readonly correlationId: string | null;
  readonly attempts: number;
  readonly reason: string;
  readonly state: DeadLetterState;
  readonly lastFailedAt: Date;
}

@Controller('dead-letters')
export class DeadLettersController {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  @Get()
  async list(@Organization() organizationId: string, @ValidQuery(ListQuery) filter: Static<typeof ListQuery>): Promise<LetterSummary[]> {
    const letters = await listDeadLetters(this.database, GROUP, { ...filter, organizationId });
    return letters.map(({ consumer, eventId, subject, orderId, correlationId, attempts, reason, state, lastFailedAt }) => ({
      consumer,
      eventId,
      subject,
      orderId,
      correlationId,
      attempts,
      reason,
      state,
      lastFailedAt,
    }));
  }
}
