import type { DeadLetter } from '../../dead-letters/dead-letter.js';

/** A letter without its record. */
export function letterSummary(letter: DeadLetter) {
  const { eventId, source, subject, type, version, orderId, correlationId, record, attempts, errorKind, cause, reason } = letter;
  const { firstFailedAt, lastFailedAt, state, publishedAt } = letter;
  const identity = { eventId, source, subject, type, version, orderId, correlationId };
  const place = { topic: record.topic, partition: record.partition, offset: record.offset, recordTime: new Date(record.timestamp) };
  return { ...identity, ...place, attempts, errorKind, cause, reason, firstFailedAt, lastFailedAt, state, publishedAt };
}
