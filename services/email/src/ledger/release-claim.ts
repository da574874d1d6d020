import type { Database } from '@shopflow/database';
import { type LeasedDelivery, NO_LEASE } from './delivery.js';

/** Hands back a claim whose attempt never began, uncharged, so that nobody waits for its lease to run out. */
export class ReleaseClaim {
  constructor(private readonly database: Database) {}

  /** @returns false when the lease was lost */
  async execute({ id, lease }: LeasedDelivery): Promise<boolean> {
    const { count } = await this.database.query(
      `UPDATE deliveries SET status = 'queued', claims = claims - 1, ${NO_LEASE}
       WHERE id = $1 AND status = 'running' AND locked_by = $2 AND locked_until = $3`,
      [id, lease.worker, lease.until],
    );
    return count > 0;
  }
}
