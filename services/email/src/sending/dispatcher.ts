import type { Logger } from '@shopflow/telemetry';
import { type Claim, type ClaimRequest, crashReason } from '../ledger/claim-due.js';
import type { ClaimedDelivery, LeasedDelivery } from '../ledger/delivery.js';
import { inContextOf } from '../ledger/delivery-context.js';
import type { ReleaseClaims } from '../ledger/release-claim.js';
import type { DeliveryMetrics } from '../metrics/delivery-metrics.js';
import type { Flights, Sender } from './flights.js';
import type { Heartbeat } from './heartbeat.js';
import type { SendDelivery } from './send-delivery.js';

export interface DispatcherOptions {
  /** Unique per process. */
  readonly worker: string;
  /** Deliveries that this process sends at once. */
  readonly atOnce: number;
  readonly logger: Logger;
  /** A dead letter was opened: its record can be published. */
  readonly onLetter: () => void;
  readonly metrics: DeliveryMetrics | undefined;
}

/** Moves due deliveries from the ledger to the provider, never more than it has room for. */
export class Dispatcher implements Sender {
  private readonly running = new Map<ClaimedDelivery, Promise<void>>();
  private alone: ClaimedDelivery | undefined;
  private stopping = false;

  constructor(
    private readonly flights: Flights,
    private readonly releases: ReleaseClaims,
    private readonly send: SendDelivery,
    private readonly heartbeat: Heartbeat,
    private readonly options: DispatcherOptions,
  ) {
    flights.serve(this);
  }

  /** Something may be due, or a slot is free. */
  wake(): void {
    if (!this.stopping) this.flights.claim();
  }

  /** Claims no more; what is at the provider comes to its end. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.flights.landed();
    await Promise.all(this.running.values());
    await this.flights.landed();
  }

  /** What to claim once these deliveries have ended. */
  request(ended: readonly ClaimedDelivery[], now: Date): ClaimRequest | undefined {
    const left = this.running.size - ended.length;
    const free = this.options.atOnce - left;
    const blocked = this.alone !== undefined && !ended.includes(this.alone);
    if (this.stopping || blocked || free <= 0) return undefined;
    return { worker: this.options.worker, now, free, quiet: left === 0 };
  }

  async begin({ deliveries, alone, crashed }: Claim): Promise<void> {
    for (const delivery of crashed) this.reportCrash(delivery);
    if (this.stopping) return this.release(deliveries);
    if (alone) this.alone = deliveries[0];
    for (const delivery of deliveries) this.running.set(delivery, this.run(delivery));
  }

  /** What cannot be handed back comes back when its lease is over. */
  private async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.releases.execute(deliveries);
    } catch (error) {
      this.options.logger.warn({ err: error, deliveries: deliveries.length }, 'not handed back; their leases will bring them back');
    }
  }

  private reportCrash(delivery: LeasedDelivery): void {
    inContextOf(delivery, () => this.options.logger.error({ delivery: delivery.id, reason: crashReason(delivery) }, 'dead: given up'));
    this.options.metrics?.dead('crashed');
    this.options.onLetter();
  }

  /** Never rejects: a failed write must not end the process. */
  private async run(delivery: ClaimedDelivery): Promise<void> {
    this.heartbeat.add(delivery);
    try {
      const ending = await this.send.execute(delivery);
      if (ending === 'dead') this.options.onLetter();
      if (ending === 'handed back') this.wake();
    } catch (error) {
      const message = 'the result could not be written; the lease will bring the delivery back';
      this.options.logger.error({ err: error, delivery: delivery.id }, message);
      this.wake();
    } finally {
      this.heartbeat.remove(delivery);
      this.running.delete(delivery);
      if (this.alone === delivery) this.alone = undefined;
    }
  }
}
