import type { Database } from '@shopflow/database';
import type { LeasedDelivery } from './delivery.js';

/** Puts off the end of leases whose worker is at it. */
export class RenewLeases {
  constructor(private readonly database: Database) {}

  /** @returns ids of those whose lease was not lost */
  async execute(deliveries: readonly LeasedDelivery[], until: Date): Promise<Set<string>> {
    const { rows } = await this.database.query<{ id: string }>(
      `UPDATE deliveries d SET locked_until = $3
       FROM unnest($1::text[], $2::text[]) AS claim (id, holder)
       WHERE d.id = claim.id AND d.status = 'running' AND d.locked_by = claim.holder RETURNING d.id`,
      [deliveries.map(({ id }) => id), deliveries.map(({ lease }) => lease.holder), until],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
