import type { DeathKind } from '@shopflow/consumer';
import { sql, type Transaction } from '@shopflow/database';
import type { Announcer } from './announce.js';
import { openDeliveryLetter } from './dead-letter.js';
import { type LeasedDelivery, NO_LEASE } from './delivery.js';

export interface Burial {
  /** Calls charged, the last one included. */
  readonly attempts: number;
  readonly errorKind: DeathKind;
  /** Why, for a person. */
  readonly reason: string;
  readonly now: Date;
}

/** Ends a running delivery as dead: its row, its open dead letter and `email.failed`, in the caller's transaction. */
export class BuryDelivery {
  constructor(private readonly announcer: Announcer) {}

  /** @returns false when the lease was lost: then nothing happened */
  async execute(tx: Transaction, delivery: LeasedDelivery, { attempts, errorKind, reason, now }: Burial): Promise<boolean> {
    const { count } = await sql(
      tx,
      `UPDATE deliveries
       SET status = 'dead', attempts = $3, last_error = $4, first_failed_at = coalesce(first_failed_at, $5), ${NO_LEASE}
       WHERE id = $1 AND status = 'running' AND locked_by = $2`,
      [delivery.id, delivery.lease.holder, attempts, reason, now],
    );
    if (count === 0) return false;
    await openDeliveryLetter(tx, delivery.id, errorKind, now);
    await this.announcer.failed(tx, delivery, { reason, attempts });
    return true;
  }
}
