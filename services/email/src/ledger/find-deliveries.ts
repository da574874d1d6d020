import { Database } from '@shopflow/database';
import { Injectable } from '@nestjs/common';
import type { Delivery, DeliveryStatus } from './delivery.js';

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly orderId?: string | undefined;
  readonly limit: number;
}

/** How the line stands. */
export interface LineState {
  readonly queued: number;
  readonly running: number;
  readonly dead: number;
  /** How long the oldest delivery that is queued or running has waited; 0 when none is. */
  readonly oldestWaitingSeconds: number;
}

const COLUMNS = `
  id, kind, status, number, order_id AS "orderId", organization_id AS "organizationId", cause_event_id AS "causeEventId",
  correlation_id AS "correlationId", attempts, claims, due_at AS "dueAt", provider_id AS "providerId", last_error AS "lastError",
  created_at AS "createdAt", sent_at AS "sentAt"`;

@Injectable()
export class FindDeliveries {
  constructor(private readonly database: Database) {}

  async byId(id: string): Promise<Delivery | undefined> {
    const { rows } = await this.database.query<Delivery>(`SELECT ${COLUMNS} FROM deliveries WHERE id = $1`, [id]);
    return rows[0];
  }

  /** The newest first. */
  async list({ status, orderId, limit }: DeliveryFilter): Promise<Delivery[]> {
    const { rows } = await this.database.query<Delivery>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR order_id = $2)
       ORDER BY created_at DESC, id LIMIT $3`,
      [status ?? null, orderId ?? null, limit],
    );
    return rows;
  }

  async lineState(now: Date): Promise<LineState> {
    const { rows } = await this.database.query<LineState>(
      `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued, count(*) FILTER (WHERE status = 'running')::int AS running,
              count(*) FILTER (WHERE status = 'dead')::int AS dead,
              greatest(0, coalesce(extract(epoch FROM $1::timestamptz - min(created_at) FILTER (WHERE status <> 'dead')), 0))::float8
                AS "oldestWaitingSeconds"
       FROM deliveries WHERE status IN ('queued', 'running', 'dead')`,
      [now],
    );
    return rows[0] ?? { queued: 0, running: 0, dead: 0, oldestWaitingSeconds: 0 };
  }
}
