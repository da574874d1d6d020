import { DEFAULT_ORGANIZATION } from '@shopflow/contracts';
import type { DeadLetterState } from './dead-letter.js';

/** Which letters of a group are meant. Every condition that is given must hold. */
export interface DeadLetterFilter {
  readonly state?: DeadLetterState;
  readonly type?: string;
  readonly eventId?: string;
  readonly orderId?: string;
  readonly subject?: string;
  readonly correlationId?: string;
  /** Whose event it is, by the record's header. */
  readonly organizationId?: string;
  /** Part of it, in any case. */
  readonly reason?: string;
  /** The whole of it, as it is listed. */
  readonly cause?: string;
  /** Failed last at this time or later. */
  readonly since?: Date;
  /** Failed last before this time. */
  readonly until?: Date;
}

/** The conditions of a filter as part of a WHERE, over the parameters from `$1` on. `$1` is the group. */
export const LETTER_CONDITIONS = `
  consumer = $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR event_id = $4)
  AND ($5::text IS NULL OR order_id = $5) AND ($6::text IS NULL OR subject = $6) AND ($7::text IS NULL OR correlation_id = $7)
  AND ($8::text IS NULL OR strpos(lower(reason), lower($8)) > 0) AND ($9::text IS NULL OR cause = $9)
  AND ($10::timestamptz IS NULL OR last_failed_at >= $10) AND ($11::timestamptz IS NULL OR last_failed_at < $11)
  AND ($12::text IS NULL OR headers->>'ce_organizationid' = encode(convert_to($12, 'UTF8'), 'base64')
       OR ($12 = '${DEFAULT_ORGANIZATION}' AND headers->>'ce_organizationid' IS NULL))`;

/** The values of {@link LETTER_CONDITIONS}. What comes behind them begins at `$13`. */
export function letterValues(consumer: string, filter: DeadLetterFilter): unknown[] {
  const { state, type, eventId, orderId, subject, correlationId, reason, cause, since, until, organizationId } = filter;
  const values = [consumer, state, type, eventId, orderId, subject, correlationId, reason, cause, since, until, organizationId];
  return values.map((value) => value ?? null);
}
