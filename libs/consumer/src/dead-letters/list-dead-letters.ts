import type { Database } from '@shopflow/database';
import type { DeadLetter, DeadLetterState } from './dead-letter.js';
import { decodeHeaders } from './encode-headers.js';

/** Every condition that is given must hold. */
export interface DeadLetterFilter {
  readonly state?: DeadLetterState;
  readonly type?: string;
  readonly eventId?: string;
  readonly orderId?: string;
  readonly subject?: string;
  /** Continue behind this `seq`. */
  readonly after?: number;
  /** 100 unless given. */
  readonly limit?: number;
}

/** The letters of a group, the oldest first. */
export async function listDeadLetters(database: Database, consumer: string, filter: DeadLetterFilter = {}): Promise<DeadLetter[]> {
  const { rows } = await database.query<LetterRow>(
    `SELECT ${LETTER_COLUMNS} FROM dead_letters
     WHERE consumer = $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR type = $3)
       AND ($4::text IS NULL OR event_id = $4) AND ($5::text IS NULL OR order_id = $5)
       AND ($6::text IS NULL OR subject = $6) AND seq > $7
     ORDER BY seq LIMIT $8`,
    [
      consumer,
      filter.state ?? null,
      filter.type ?? null,
      filter.eventId ?? null,
      filter.orderId ?? null,
      filter.subject ?? null,
      filter.after ?? 0,
      filter.limit ?? 100,
    ],
  );
  return rows.map(toDeadLetter);
}

export const LETTER_COLUMNS = `
  consumer, source, event_id AS "eventId", subject, seq::float8 AS seq, type, version, order_id AS "orderId",
  correlation_id AS "correlationId", topic, partition, "offset"::float8 AS "offset", record_time AS "recordTime", key, value, headers,
  attempts, error_kind AS "errorKind", reason, first_failed_at AS "firstFailedAt", last_failed_at AS "lastFailedAt",
  state, published_at AS "publishedAt"`;

/** {@link LETTER_COLUMNS} as the driver gives them. */
export type LetterRow = Omit<DeadLetter, 'record'> & {
  topic: string;
  partition: number;
  offset: number;
  recordTime: Date;
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, string | string[]>;
};

export function toDeadLetter({ topic, partition, offset, recordTime, key, value, headers, ...letter }: LetterRow): DeadLetter {
  const record = { topic, partition, offset, timestamp: recordTime.getTime(), key, value, headers: decodeHeaders(headers) };
  return { ...letter, record };
}
