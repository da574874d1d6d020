import { sql, type Transaction } from '@shopflow/database';
import { headerNames, headerText } from '@shopflow/kafka';
import { boundedText } from '../bounded-text.js';
import { encodeHeaders } from '../dead-letters/encode-headers.js';
import { storableTime, storableVersion, textOrNull } from '../dead-letters/storable.js';
import { type Candidate, labelOf } from '../event-item.js';
import type { Standing } from './held-event.js';
import { heldKeyOf } from './held-key.js';

export interface EventToHold {
  readonly candidate: Candidate;
  readonly standing: Standing;
}

/** Puts events behind everything that their keys hold already. The keys must be held and locked. @param events in offset order */
export async function holdEvents(tx: Transaction, consumer: string, events: readonly EventToHold[]): Promise<void> {
  if (events.length === 0) return;
  await sql(tx, HOLD, [consumer, ...columnsOf(events.map(toRow))]);
}

// `seq` is given in the order of the rows: it is what keeps the events of a key in order.
const HOLD = `
  INSERT INTO held_events (consumer, source, event_id, topic, key, type, version, order_id, correlation_id, partition, "offset",
    record_time, record_key, value, headers, attempts, due_at, waits_for, state, reason, first_failed_at, last_failed_at)
  SELECT $1, source, event_id, topic, key, type, version, order_id, correlation_id, partition, "offset",
    record_time, record_key, value, headers::json, attempts, due_at, waits_for,
    CASE waits_for WHEN 'a decision' THEN 'dead' ELSE 'waiting' END, reason, first_failed_at, last_failed_at
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::int[], $8::text[], $9::text[], $10::int[], $11::bigint[],
    $12::timestamptz[], $13::bytea[], $14::bytea[], $15::text[], $16::int[], $17::timestamptz[], $18::text[], $19::text[],
    $20::timestamptz[], $21::timestamptz[])
    WITH ORDINALITY AS held (source, event_id, topic, key, type, version, order_id, correlation_id, partition, "offset",
      record_time, record_key, value, headers, attempts, due_at, waits_for, reason, first_failed_at, last_failed_at, place)
  ORDER BY place`;

function toRow({ candidate, standing }: EventToHold): readonly unknown[] {
  const { record, identity } = candidate;
  const label = labelOf(candidate);
  const { attempts, dueAt, waitsFor, failure } = standing;
  return [
    identity.source,
    identity.eventId,
    record.topic,
    heldKeyOf(record, identity),
    textOrNull(label.type),
    storableVersion(headerText(record.headers, headerNames.version)),
    textOrNull(label.orderId),
    textOrNull(label.correlationId),
    record.partition,
    record.offset,
    storableTime(record.timestamp),
    record.key,
    record.value,
    encodeHeaders(record.headers),
    attempts,
    dueAt,
    waitsFor,
    failure && boundedText(failure.reason),
    failure?.firstFailedAt ?? null,
    failure?.lastFailedAt ?? null,
  ];
}

const columnsOf = (rows: readonly (readonly unknown[])[]): unknown[][] => rows[0]!.map((_, column) => rows.map((row) => row[column]));
