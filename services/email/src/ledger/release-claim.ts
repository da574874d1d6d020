import type { Database } from '@shopflow/database';
import { type LeasedDelivery, NO_LEASE } from './delivery.js';

/** Hands back claims whose attempt never began, uncharged, so that nobody waits for their leases to run out. */
export class ReleaseClaims {
  constructor(private readonly database: Database) {}

  /** Those whose lease was lost are left alone. */
  async execute(deliveries: readonly LeasedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.query(
      `UPDATE deliveries d SET status = 'queued', claims = claims - 1, ${NO_LEASE}
       FROM unnest($1::text[], $2::text[]) AS claim (id, holder)
       WHERE d.id = claim.id AND d.status = 'running' AND d.locked_by = claim.holder`,
      [deliveries.map(({ id }) => id), deliveries.map(({ lease }) => lease.holder)],
    );
  }
}
