import type { EventEnvelope } from '@shopflow/contracts';
import { Database, sql, type Transaction } from '@shopflow/database';
import { Injectable } from '@nestjs/common';

/** One event to be recorded. `payload` is its JSON as it was published. */
export interface AuditRecord {
  readonly event: EventEnvelope;
  readonly payload: string;
  readonly line: string;
  /** Number of the invoice that it is about; null when it is about none. */
  readonly invoice: string | null;
}

/** One recorded event. Times are ISO 8601 in UTC. */
export interface AuditEntry {
  readonly seq: number;
  readonly eventId: string;
  readonly source: string;
  readonly type: string;
  readonly version: number;
  /** Of an invoice without an order: the invoice's number. */
  readonly orderId: string;
  readonly invoice: string | null;
  readonly organizationId: string;
  readonly correlationId: string | null;
  readonly causationId: string | null;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly line: string;
  readonly payload: unknown;
}

export interface AuditFilter {
  readonly organizationId: string;
  /** Number of an invoice, `INV-0001`. */
  readonly invoice?: string | undefined;
  readonly orderId?: string | undefined;
  readonly correlationId?: string | undefined;
  /** Continue behind this `seq`. */
  readonly after: number;
  readonly limit: number;
}

@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** Appends the records in the given order, in one statement. */
  async append(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
    const column = <T>(of: (record: AuditRecord) => T) => records.map(of);
    await sql(
      tx,
      `INSERT INTO audit_log (event_id, source, type, version, order_id, organization_id, correlation_id, causation_id, occurred_at, line, payload,
                              invoice_number)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
                            $9::timestamptz[], $10::text[], $11::json[], $12::text[])`,
      [
        column(({ event }) => event.id),
        column(({ event }) => event.source),
        column(({ event }) => event.type),
        column(({ event }) => event.version),
        column(({ event }) => event.subject),
        column(({ event }) => event.organizationId),
        column(({ event }) => event.correlationId),
        column(({ event }) => event.causationId),
        column(({ event }) => event.time.toISOString()),
        column(({ line }) => line),
        column(({ payload }) => payload),
        column(({ invoice }) => invoice),
      ],
    );
  }

  /** The newest part of the log that fits the filter is its end; entries come in the order in which they were recorded. */
  async find({ organizationId, orderId, invoice, correlationId, after, limit }: AuditFilter): Promise<AuditEntry[]> {
    const { rows } = await this.database.query<AuditEntry>(
      `SELECT seq::float8 AS seq, event_id AS "eventId", source, type, version, order_id AS "orderId", invoice_number AS invoice,
              organization_id AS "organizationId",
              correlation_id AS "correlationId", causation_id AS "causationId", occurred_at AS "occurredAt",
              recorded_at AS "recordedAt", line, payload
       FROM audit_log
       WHERE ($1::text IS NULL OR order_id = $1) AND ($2::text IS NULL OR correlation_id = $2)
         AND ($3::text IS NULL OR invoice_number = $3) AND organization_id = $4 AND seq > $5
       ORDER BY seq LIMIT $6`,
      [orderId ?? null, correlationId ?? null, invoice ?? null, organizationId, after, limit],
    );
    return rows;
  }
}
