import type { Logger } from '@shopflow/telemetry';
import type { ClaimedDelivery } from '../ledger/delivery.js';
import type { RenewLeases } from '../ledger/renew-leases.js';

/**
 * Renews the leases of what is being sent, every third of their length, so that a slow call never loses its own. It ends with the
 * process, stands still with it, and never goes on for longer than a call and its result can take.
 */
export class Heartbeat {
  private readonly sending = new Set<ClaimedDelivery>();
  private readonly missed = new WeakSet<ClaimedDelivery>();
  private timer: NodeJS.Timeout | undefined;
  private beating = false;

  constructor(
    private readonly leases: RenewLeases,
    private readonly leaseMs: number,
    private readonly clock: () => Date,
    private readonly logger: Logger,
  ) {}

  add(delivery: ClaimedDelivery): void {
    this.sending.add(delivery);
    this.timer ??= setInterval(() => void this.beat(), this.leaseMs / 3);
  }

  remove(delivery: ClaimedDelivery): void {
    this.sending.delete(delivery);
    if (this.sending.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Never rejects: a lease that could not be renewed now may be the next time. */
  private async beat(): Promise<void> {
    const now = this.clock();
    const deliveries = [...this.sending].filter(({ renewBefore }) => now < renewBefore);
    if (this.beating || deliveries.length === 0) return;
    this.beating = true;
    try {
      await this.renew(deliveries, new Date(now.getTime() + this.leaseMs));
    } catch (error) {
      this.logger.warn({ err: error, deliveries: deliveries.length }, 'leases are not renewed; trying again');
    } finally {
      this.beating = false;
    }
  }

  private async renew(deliveries: readonly ClaimedDelivery[], until: Date): Promise<void> {
    const kept = await this.leases.execute(deliveries, until);
    for (const delivery of deliveries) {
      if (kept.has(delivery.id)) delivery.lease.until = until;
      else this.reportLoss(delivery);
    }
  }

  /** The first time, its result may just have been written. */
  private reportLoss(delivery: ClaimedDelivery): void {
    if (this.missed.has(delivery)) this.logger.warn({ delivery: delivery.id }, 'the lease is lost while the e-mail is being sent');
    this.missed.add(delivery);
  }
}
