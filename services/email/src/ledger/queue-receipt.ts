import { encodeHeaders } from '@shopflow/consumer';
import type { EventOf, orderCreated } from '@shopflow/contracts';
import { sql, type Transaction } from '@shopflow/database';
import type { ConsumedRecord } from '@shopflow/kafka';
import { Injectable } from '@nestjs/common';
import { noticeDue } from './due-notice.js';

/** Records that an order's receipt is owed. With the event's id as its key it is owed once, however often it is asked for. */
@Injectable()
export class QueueReceipt {
  /** @returns false when it was owed already */
  async execute(tx: Transaction, event: EventOf<typeof orderCreated>, record: ConsumedRecord): Promise<boolean> {
    const { count } = await sql(tx, INSERT, [...valuesOfCause(event), ...valuesOfRecord(record)]);
    if (count > 0) await noticeDue(tx);
    return count > 0;
  }
}

const INSERT = `
  INSERT INTO deliveries (
    id, kind, dedupe_key, order_id, organization_id, cause_source, cause_event_id, cause_type, cause_version,
    correlation_id, traceparent, tracestate,
    record_topic, record_partition, record_offset, record_timestamp, record_key, record_value, record_headers)
  VALUES ($1, 'receipt', 'receipt:' || $1::text, $2, $3, $4, $1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  ON CONFLICT (dedupe_key) DO NOTHING`;

const valuesOfCause = (event: EventOf<typeof orderCreated>): unknown[] => [
  event.id,
  event.payload.orderId,
  event.organizationId,
  event.source,
  event.type,
  event.version,
  event.correlationId,
  event.traceparent,
  event.tracestate,
];

const valuesOfRecord = ({ topic, partition, offset, timestamp, key, value, headers }: ConsumedRecord): unknown[] => [
  topic,
  partition,
  offset,
  new Date(timestamp),
  key,
  value,
  encodeHeaders(headers),
];
