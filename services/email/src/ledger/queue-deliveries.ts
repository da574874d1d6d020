import { encodeHeaders } from '@shopflow/consumer';
import type { EventEnvelope } from '@shopflow/contracts';
import { sql, type Transaction } from '@shopflow/database';
import type { ConsumedRecord } from '@shopflow/kafka';
import { Injectable } from '@nestjs/common';
import type { DeliveryKind } from './delivery.js';
import { noticeDue } from './due-notice.js';

/** An e-mail that an event asks for. */
export interface Owed {
  /** Also the `Idempotency-Key` at the provider, for ever. */
  readonly id: string;
  readonly kind: DeliveryKind;
  /** One e-mail per intent, however often it is asked for. */
  readonly dedupeKey: string;
  readonly orderId: string | null;
  /** The invoice that it is about; null for a receipt. */
  readonly invoice: { readonly invoiceId: number; readonly number: string } | null;
  readonly event: EventEnvelope;
  readonly record: ConsumedRecord;
}

/** Records e-mails that are owed. */
@Injectable()
export class QueueDeliveries {
  /** @returns ids of those that were not owed already */
  async execute(tx: Transaction, owed: readonly Owed[]): Promise<string[]> {
    if (owed.length === 0) return [];
    const column = (of: (each: Owed) => unknown) => owed.map(of);
    const { rows } = await sql<{ id: string }>(tx, INSERT, [
      column(({ id }) => id),
      column(({ kind }) => kind),
      column(({ dedupeKey }) => dedupeKey),
      column(({ orderId }) => orderId),
      column(({ invoice }) => invoice?.number ?? null),
      column(({ invoice }) => invoice?.invoiceId ?? null),
      column(({ event }) => event.organizationId),
      column(({ event }) => event.source),
      column(({ event }) => event.id),
      column(({ event }) => event.type),
      column(({ event }) => event.version),
      column(({ event }) => event.correlationId),
      column(({ event }) => event.traceparent),
      column(({ event }) => event.tracestate),
      column(({ record }) => record.topic),
      column(({ record }) => record.partition),
      column(({ record }) => record.offset),
      column(({ record }) => new Date(record.timestamp)),
      column(({ record }) => record.key),
      column(({ record }) => record.value),
      column(({ record }) => encodeHeaders(record.headers)),
    ]);
    if (rows.length > 0) await noticeDue(tx);
    return rows.map(({ id }) => id);
  }
}

const INSERT = `
  INSERT INTO deliveries (
    id, kind, dedupe_key, order_id, number, invoice_id, organization_id, cause_source, cause_event_id, cause_type, cause_version,
    correlation_id, traceparent, tracestate,
    record_topic, record_partition, record_offset, record_timestamp, record_key, record_value, record_headers)
  SELECT owed.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
                       $10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[], $16::int[], $17::bigint[],
                       $18::timestamptz[], $19::bytea[], $20::bytea[], $21::json[])
       AS owed (id, kind, dedupe_key)
  WHERE NOT EXISTS (SELECT 1 FROM deliveries_archive sent WHERE sent.id = owed.id OR sent.dedupe_key = owed.dedupe_key)
  ON CONFLICT DO NOTHING RETURNING id`;
