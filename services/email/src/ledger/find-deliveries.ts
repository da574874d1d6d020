import { Database } from '@shopflow/database';
import { Injectable } from '@nestjs/common';
import type { Delivery, DeliveryKind, DeliveryStatus } from './delivery.js';

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly kind?: DeliveryKind | undefined;
  readonly orderId?: string | undefined;
  readonly number?: string | undefined;
  /** Anybody's when left out, for operators. */
  readonly organizationId?: string | undefined;
  readonly limit: number;
}

/** How the line stands. */
export interface LineState {
  readonly queued: number;
  readonly running: number;
  readonly dead: number;
  /** How long the oldest delivery that is queued or running has waited; 0 when none is. */
  readonly oldestWaitingSeconds: number;
  /** The breaker is open: the provider is down, nothing is sent but one probe at a time. */
  readonly providerDown: boolean;
}

const COLUMNS = `
  id, kind, status, number, order_id AS "orderId", organization_id AS "organizationId", cause_event_id AS "causeEventId",
  correlation_id AS "correlationId", attempts, claims, due_at AS "dueAt", provider_id AS "providerId", last_error AS "lastError",
  created_at AS "createdAt", sent_at AS "sentAt"`;

/** A row may be in both for an hour; then both say the same. */
const BY_ID = `
  SELECT ${COLUMNS} FROM deliveries WHERE id = $1 AND ($2::text IS NULL OR organization_id = $2)
  UNION ALL
  SELECT id, kind, 'sent', number, order_id, organization_id, cause_event_id, correlation_id, attempts, 0, due_at, provider_id, NULL,
         created_at, sent_at
  FROM deliveries_archive WHERE id = $1 AND ($2::text IS NULL OR organization_id = $2)
  LIMIT 1`;

@Injectable()
export class FindDeliveries {
  constructor(private readonly database: Database) {}

  /** @param organizationId whose it must be; anybody's when left out, for operators */
  async byId(id: string, organizationId?: string): Promise<Delivery | undefined> {
    const { rows } = await this.database.query<Delivery>(BY_ID, [id, organizationId ?? null]);
    return rows[0];
  }

  /** The newest first; what was archived is found by its id alone. */
  async list({ status, kind, orderId, number, organizationId, limit }: DeliveryFilter): Promise<Delivery[]> {
    const { rows } = await this.database.query<Delivery>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR order_id = $3)
         AND ($4::text IS NULL OR number = $4) AND ($5::text IS NULL OR organization_id = $5)
       ORDER BY created_at DESC, id DESC LIMIT $6`,
      [status ?? null, kind ?? null, orderId ?? null, number ?? null, organizationId ?? null, limit],
    );
    return rows;
  }

  async lineState(now: Date): Promise<LineState> {
    const { rows } = await this.database.query<LineState>(LINE, [now]);
    return rows[0]!;
  }
}

// Each part by its own small index: the finished rows are many.
const LINE = `
  WITH queued AS (SELECT count(*)::int AS n, min(created_at) AS oldest FROM deliveries WHERE status = 'queued'),
       running AS (SELECT count(*)::int AS n, min(created_at) AS oldest FROM deliveries WHERE status = 'running'),
       dead AS (SELECT count(*)::int AS n FROM deliveries WHERE status = 'dead')
  SELECT queued.n AS queued, running.n AS running, dead.n AS dead,
         greatest(0, coalesce(extract(epoch FROM $1::timestamptz - least(queued.oldest, running.oldest)), 0))::float8 AS "oldestWaitingSeconds",
         EXISTS (SELECT 1 FROM dispatching WHERE open_since IS NOT NULL) AS "providerDown"
  FROM queued, running, dead`;
