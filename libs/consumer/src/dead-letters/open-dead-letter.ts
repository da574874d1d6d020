import { sql, type Transaction } from '@shopflow/database';
import { boundedText } from '../bounded-text.js';
import type { Death } from './dead-letter.js';
import { encodeHeaders } from './encode-headers.js';
import { storableTime, textOrNull } from './storable.js';

/**
 * Opens the letter of something that died, or opens it again; its record goes to `<group>.dlq` after the commit.
 * Commits with the decision, so call it in the transaction that gives up.
 */
export async function openDeadLetter(tx: Transaction, death: Death): Promise<void> {
  const { record } = death;
  await sql(tx, OPEN, [
    death.consumer,
    death.source,
    death.eventId,
    death.subject ?? '',
    textOrNull(death.type),
    death.version,
    textOrNull(death.orderId),
    textOrNull(death.correlationId),
    record.topic,
    record.partition,
    record.offset,
    storableTime(record.timestamp),
    record.key,
    record.value,
    encodeHeaders(record.headers),
    death.attempts,
    death.errorKind,
    boundedText(death.reason),
    death.firstFailedAt,
    death.lastFailedAt,
    boundedText(death.cause ?? death.reason, MAX_CAUSE_BYTES),
  ]);
}

/** Fits an index row. */
const MAX_CAUSE_BYTES = 300;

const OPEN = `
  INSERT INTO dead_letters AS letter (
    consumer, source, event_id, subject, type, version, order_id, correlation_id,
    topic, partition, "offset", record_time, key, value, headers,
    attempts, error_kind, reason, first_failed_at, last_failed_at, cause)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
  ON CONFLICT (consumer, source, event_id, subject) DO UPDATE SET
    attempts = EXCLUDED.attempts, error_kind = EXCLUDED.error_kind, reason = EXCLUDED.reason, cause = EXCLUDED.cause,
    first_failed_at = LEAST(letter.first_failed_at, EXCLUDED.first_failed_at), last_failed_at = EXCLUDED.last_failed_at,
    state = 'open', published_at = NULL`;
