import { together, type Transaction } from '@shopflow/database';
import type { Contacts } from '../contact/contact.js';
import type { Invoices } from '../invoice/invoice.js';
import { afterAttempt, type Breaker, isOpen } from '../sending/breaker.js';
import { decideNext, type RetryRules, waitForProvider } from '../sending/decide-next.js';
import type { Failed, Outcome } from '../sending/outcome.js';
import type { Announcer } from './announce.js';
import type { BuryDelivery } from './bury-delivery.js';
import type { LeasedDelivery } from './delivery.js';
import type { Dispatching, RunningRow } from './dispatching.js';
import { finishForNow, finishSent, type Requeued, type Sent, takeBackCharges } from './finish-deliveries.js';

/**
 * What became of the delivery. `wait`: as a retry, but the provider is down and the attempt is not charged. `corrected`: it would
 * be dead, but what it said has been corrected since, so it begins anew. `lost`: the lease ran out and somebody else answers for
 * it; nothing was written.
 */
export type Recorded =
  { readonly kind: 'sent' | 'dead' | 'corrected' | 'lost' } | { readonly kind: 'retry' | 'wait'; readonly dueAt: Date };

/** How an attempt at a delivery ended. */
export interface Attempted {
  readonly delivery: LeasedDelivery;
  readonly outcome: Outcome;
}

export interface Settled {
  /** In the order of the attempts. */
  readonly recorded: readonly Recorded[];
  /** As the results left it; still to be stored. */
  readonly breaker: Breaker;
  /** Still to be written. */
  readonly batch: Batch;
}

/** Writes the results of attempts, with their events, into one transaction: all of it or nothing. */
export class RecordOutcomes {
  constructor(
    private readonly contacts: Contacts,
    private readonly invoices: Invoices,
    private readonly announcer: Announcer,
    private readonly bury: BuryDelivery,
    private readonly retries: RetryRules,
  ) {}

  /** Decides, in a transaction that holds the lock of {@link Dispatching}, and writes at once what ends a delivery: its locks come first. */
  async settle(tx: Transaction, { breaker: before, running }: Dispatching, attempted: readonly Attempted[], now: Date): Promise<Settled> {
    const held = attempted.filter(({ delivery }) => isHeld(delivery, running));
    const breaker = held.reduce((state, attempt) => afterAttempt(state, signOf(attempt), now), before);
    const opens = isOpen(breaker) && !isOpen(before);
    const charged = before.failing.filter((id) => !held.some(({ delivery }) => delivery.id === id));
    const batch: Batch = { sent: [], requeued: [], uncharged: opens ? charged : [], now };
    const results = new Map<Attempted, Recorded>();
    for (const attempt of held) results.set(attempt, await this.settleOne(tx, attempt, isOpen(breaker), batch));
    return { recorded: attempted.map((attempt) => results.get(attempt) ?? { kind: 'lost' }), breaker, batch };
  }

  async write(tx: Transaction, { sent, requeued, uncharged, now }: Batch): Promise<void> {
    const ended = [finishSent(tx, sent, now), finishForNow(tx, requeued, now), takeBackCharges(tx, uncharged)];
    await together([...ended, this.announcer.sent(tx, sent)]);
  }

  private async settleOne(tx: Transaction, { delivery, outcome }: Attempted, open: boolean, batch: Batch): Promise<Recorded> {
    if (outcome.kind === 'failed') return this.fail(tx, delivery, outcome, open, batch);
    batch.sent.push({ delivery, attempts: delivery.attempts + 1, providerId: outcome.providerId });
    return { kind: 'sent' };
  }

  private async fail(tx: Transaction, delivery: LeasedDelivery, failure: Failed, open: boolean, batch: Batch): Promise<Recorded> {
    const { now, requeued } = batch;
    const { reason } = failure;
    const attempts = delivery.attempts + 1;
    const next = open && failure.provider === 'down' ? waitForProvider(failure, now) : decideNext(attempts, failure, this.retries, now);
    if (next.kind !== 'dead') {
      requeued.push({ delivery, attempts: next.kind === 'wait' ? delivery.attempts : attempts, dueAt: next.dueAt, reason });
      return next;
    }
    if (await this.isCorrected(tx, delivery)) {
      requeued.push({ delivery, attempts: 0, dueAt: now, reason });
      return { kind: 'corrected' };
    }
    const errorKind = failure.permanent ? 'permanent' : 'exhausted';
    return { kind: (await this.bury.execute(tx, delivery, { attempts, errorKind, reason, now })) ? 'dead' : 'lost' };
  }

  /** What the e-mail is made of before the delivery, as a correction locks them: whoever comes second sees what the first one did. */
  private async isCorrected(tx: Transaction, { orderId, contact, invoice }: LeasedDelivery): Promise<boolean> {
    if (invoice !== undefined) return (await this.invoices.lockEventId(tx, invoice.invoiceId)) !== invoice.eventId;
    return orderId !== null && (await this.contacts.lock(tx, orderId))?.eventId !== contact?.eventId;
  }
}

/** Results that are written together. */
export interface Batch {
  readonly sent: Sent[];
  readonly requeued: Requeued[];
  /** Failed before, and charged for it, by the fault of a provider that is now known to be down. */
  readonly uncharged: readonly string[];
  readonly now: Date;
}

const isHeld = ({ id, lease }: LeasedDelivery, running: readonly RunningRow[]) =>
  running.some((row) => row.id === id && row.holder === lease.holder);

const signOf = ({ delivery, outcome }: Attempted) => ({
  id: delivery.id,
  provider: outcome.kind === 'accepted' ? ('up' as const) : outcome.provider,
});
