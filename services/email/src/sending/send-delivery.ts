import { setTimeout as wait } from 'node:timers/promises';
import { classifyDatabaseError } from '@shopflow/database';
import type { Logger } from '@shopflow/telemetry';
import type { ClaimedDelivery } from '../ledger/delivery.js';
import { inContextOf } from '../ledger/delivery-context.js';
import type { Recorded } from '../ledger/record-outcome.js';
import type { ReleaseClaims } from '../ledger/release-claim.js';
import type { Flights } from './flights.js';
import type { MailProvider } from './mail-provider.js';
import { mayHeal, neverHeals, type Outcome } from './outcome.js';
import type { DeliveryMetrics } from '../metrics/delivery-metrics.js';
import { composeMail, IncompleteDataError, NotOwedError } from './compose-mail.js';

/** How an attempt ended. */
export type Ending = Recorded['kind'] | 'handed back';

/** One attempt at one claimed delivery, from the claim to the written result. */
export class SendDelivery {
  constructor(
    private readonly provider: Pick<MailProvider, 'send'>,
    private readonly flights: Flights,
    private readonly claims: ReleaseClaims,
    private readonly logger: Logger,
    private readonly clock: () => Date,
    private readonly metrics?: DeliveryMetrics,
  ) {}

  /** @throws when the result cannot be written; the lease then brings the delivery back, and its key keeps the e-mail single */
  execute(delivery: ClaimedDelivery): Promise<Ending> {
    return inContextOf(delivery, async () => {
      if (this.clock() > delivery.callBefore) return this.handBack(delivery);
      this.logger.info({ delivery: delivery.id, attempt: delivery.attempts + 1 }, 'sending');
      const begun = performance.now();
      const outcome = await this.call(delivery);
      const recorded = await this.record(delivery, outcome);
      this.count(delivery, outcome, recorded, performance.now() - begun);
      this.report(delivery, outcome, recorded);
      return recorded.kind;
    });
  }

  private async handBack(delivery: ClaimedDelivery): Promise<Ending> {
    await this.claims.execute([delivery]);
    this.logger.warn({ delivery: delivery.id }, 'claimed too long ago to call the provider; handed back');
    return 'handed back';
  }

  /** A fault of our own, met by the data of one delivery, is charged to that delivery alone. */
  private async call(delivery: ClaimedDelivery): Promise<Outcome> {
    try {
      return await this.provider.send(delivery.id, composeMail(delivery));
    } catch (error) {
      if (error instanceof NotOwedError) return neverHeals(error.message);
      if (!(error instanceof IncompleteDataError))
        this.logger.error({ err: error, delivery: delivery.id }, 'the e-mail could not be composed');
      return mayHeal(error instanceof Error ? error.message : String(error));
    }
  }

  /** The provider's answer is worth more than one try at writing it down: while the lease lasts, an outage is waited out. */
  private async record(delivery: ClaimedDelivery, outcome: Outcome): Promise<Recorded> {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      try {
        return await this.flights.record(delivery, outcome);
      } catch (error) {
        if (classifyDatabaseError(error) === 'other' || this.clock() >= delivery.lease.until) throw error;
        this.logger.warn({ err: error, delivery: delivery.id }, 'the result is not written yet; trying again');
        await wait(pauseMs);
      }
    }
  }

  private count({ kind }: ClaimedDelivery, outcome: Outcome, recorded: Recorded, durationMs: number): void {
    if (recorded.kind === 'sent') this.metrics?.sent(kind, durationMs);
    if (recorded.kind === 'dead') this.metrics?.dead(outcome.kind === 'failed' && outcome.permanent ? 'permanent' : 'exhausted');
  }

  private report({ id, attempts }: ClaimedDelivery, outcome: Outcome, recorded: Recorded): void {
    const line = { delivery: id, attempt: attempts + 1 };
    if (recorded.kind === 'lost') return this.logger.warn(line, 'the lease ran out before the result; whoever took over answers for it');
    if (outcome.kind === 'accepted') {
      return this.logger.info({ ...line, message: outcome.providerId }, outcome.replayed ? 'sent (provider replayed)' : 'sent');
    }
    const failed = { ...line, reason: outcome.reason };
    if (recorded.kind === 'dead') return this.logger.error(failed, 'dead: given up');
    if (recorded.kind === 'corrected')
      return this.logger.info(failed, 'attempt failed, but what it said was corrected meanwhile: beginning anew');
    if (recorded.kind === 'wait') return this.logger.warn(failed, 'attempt failed, uncharged: the provider is down');
    this.logger.warn({ ...failed, ...(recorded.kind === 'retry' ? { nextAt: recorded.dueAt } : {}) }, 'attempt failed');
  }
}
