import type { Logger } from '@shopflow/telemetry';
import { type Claim, type ClaimDue, crashReason } from '../ledger/claim-due.js';
import type { ClaimedDelivery, LeasedDelivery } from '../ledger/delivery.js';
import { inContextOf } from '../ledger/delivery-context.js';
import type { ReleaseClaim } from '../ledger/release-claim.js';
import type { SendDelivery } from './send-delivery.js';

export interface DispatcherOptions {
  /** Unique per process. */
  readonly worker: string;
  /** Deliveries that this process sends at once. */
  readonly atOnce: number;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** A dead letter was opened: its record can be published. */
  readonly onLetter: () => void;
}

/** Moves due deliveries from the ledger to the provider, never more than it has room for. */
export class Dispatcher {
  private readonly running = new Map<string, Promise<void>>();
  private claiming: Promise<void> | undefined;
  private wokenAgain = false;
  private alone = false;
  private stopping = false;
  private claimsFail = false;

  constructor(
    private readonly claims: ClaimDue,
    private readonly releases: ReleaseClaim,
    private readonly send: SendDelivery,
    private readonly options: DispatcherOptions,
  ) {}

  /** Something may be due, or a slot is free. Cheap: many wakes while one claim runs are one more claim. */
  wake(): void {
    if (this.stopping) return;
    if (this.claiming) {
      this.wokenAgain = true;
      return;
    }
    this.claiming = this.claimOnce().finally(() => {
      this.claiming = undefined;
      if (!this.wokenAgain) return;
      this.wokenAgain = false;
      this.wake();
    });
  }

  /** Claims no more; what is at the provider comes to its end. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.claiming;
    await Promise.all(this.running.values());
  }

  private async claimOnce(): Promise<void> {
    const free = this.options.atOnce - this.running.size;
    if (free <= 0 || this.alone) return;
    try {
      const quiet = this.running.size === 0;
      const claim = await this.claims.execute({ worker: this.options.worker, now: this.options.clock(), free, quiet });
      this.claimsFail = false;
      await this.begin(claim);
    } catch (error) {
      if (!this.claimsFail) this.options.logger.warn({ err: error }, 'due deliveries cannot be claimed; looking again until they can');
      this.claimsFail = true;
    }
  }

  private async begin({ deliveries, alone, crashed }: Claim): Promise<void> {
    for (const delivery of crashed) this.reportCrash(delivery);
    if (this.stopping) {
      for (const delivery of deliveries) await this.releases.execute(delivery);
      return;
    }
    this.alone = alone;
    for (const delivery of deliveries) this.running.set(delivery.id, this.run(delivery));
  }

  private reportCrash(delivery: LeasedDelivery): void {
    inContextOf(delivery, () => this.options.logger.error({ delivery: delivery.id, reason: crashReason(delivery) }, 'dead: given up'));
    this.options.onLetter();
  }

  private async run(delivery: ClaimedDelivery): Promise<void> {
    try {
      if ((await this.send.execute(delivery)) === 'dead') this.options.onLetter();
    } catch (error) {
      this.options.logger.error(
        { err: error, delivery: delivery.id },
        'the result could not be written; the lease will bring the delivery back',
      );
    } finally {
      this.running.delete(delivery.id);
      this.alone = false;
      this.wake();
    }
  }
}
