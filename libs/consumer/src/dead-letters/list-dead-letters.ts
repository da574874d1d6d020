import type { Database } from '@shopflow/database';
import type { DeadLetter } from './dead-letter.js';
import { decodeHeaders } from './encode-headers.js';
import { type DeadLetterFilter, LETTER_CONDITIONS, letterValues } from './letter-filter.js';

export type { DeadLetterFilter } from './letter-filter.js';

/** A filter and which of the letters that fit. */
export interface DeadLetterPage extends DeadLetterFilter {
  /** Continue behind this `seq`. */
  readonly after?: number;
  /** 100 unless given. */
  readonly limit?: number;
}

/** The letters of a group, the oldest first. */
export async function listDeadLetters(database: Database, consumer: string, page: DeadLetterPage = {}): Promise<DeadLetter[]> {
  const { rows } = await database.query<LetterRow>(
    `SELECT ${LETTER_COLUMNS} FROM dead_letters WHERE ${LETTER_CONDITIONS} AND seq > $13 ORDER BY seq LIMIT $14`,
    [...letterValues(consumer, page), page.after ?? 0, page.limit ?? 100],
  );
  return rows.map(toDeadLetter);
}

/** A letter holds a record of 1 MiB at most. */
const PAGE = 20;

/** Every letter that fits, the oldest first, with a few in memory at a time. */
export async function* eachDeadLetter(database: Database, consumer: string, { limit = Infinity, ...filter }: DeadLetterPage) {
  let after = filter.after ?? 0;
  for (let missing = limit; missing > 0; missing -= PAGE) {
    const letters = await listDeadLetters(database, consumer, { ...filter, after, limit: Math.min(PAGE, missing) });
    yield* letters;
    if (letters.length < PAGE) return;
    after = letters.at(-1)!.seq;
  }
}

export const LETTER_COLUMNS = `
  consumer, source, event_id AS "eventId", subject, seq::float8 AS seq, type, version, order_id AS "orderId",
  correlation_id AS "correlationId", topic, partition, "offset"::float8 AS "offset", record_time AS "recordTime", key, value, headers,
  attempts, error_kind AS "errorKind", reason, cause, first_failed_at AS "firstFailedAt", last_failed_at AS "lastFailedAt",
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
