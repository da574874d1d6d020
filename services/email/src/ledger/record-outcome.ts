import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Contacts } from '../contact/contact.js';
import type { Invoices } from '../invoice/invoice.js';
import { decideNext, type RetryRules } from '../sending/decide-next.js';
import type { Accepted, Failed, Outcome } from '../sending/outcome.js';
import type { Announcer } from './announce.js';
import type { BuryDelivery } from './bury-delivery.js';
import { type LeasedDelivery, NO_LEASE } from './delivery.js';

/**
 * What became of the delivery. `corrected`: it would be dead, but the contact has been corrected since, so it begins anew.
 * `lost`: the lease ran out and somebody else answers for it; nothing was written.
 */
export type Recorded = { readonly kind: 'sent' | 'dead' | 'corrected' | 'lost' } | { readonly kind: 'retry'; readonly dueAt: Date };

/** Writes the result of an attempt, with its events, in one transaction: all of it or nothing. */
export class RecordOutcome {
  constructor(
    private readonly database: Database,
    private readonly contacts: Contacts,
    private readonly invoices: Invoices,
    private readonly announcer: Announcer,
    private readonly bury: BuryDelivery,
    private readonly retries: RetryRules,
  ) {}

  execute(delivery: LeasedDelivery, outcome: Outcome, now: Date): Promise<Recorded> {
    return this.database.inTransaction((tx) =>
      outcome.kind === 'accepted' ? this.sent(tx, delivery, outcome, now) : this.failed(tx, delivery, outcome, now),
    );
  }

  private async sent(tx: Transaction, delivery: LeasedDelivery, { providerId }: Accepted, now: Date): Promise<Recorded> {
    const attempts = delivery.attempts + 1;
    const assignments = `status = 'sent', attempts = $4, provider_id = $5, sent_at = $6, last_error = NULL`;
    if (!(await finish(tx, delivery, assignments, [attempts, providerId, now]))) return { kind: 'lost' };
    await this.announcer.sent(tx, delivery, { providerId, attempts });
    return { kind: 'sent' };
  }

  private async failed(tx: Transaction, delivery: LeasedDelivery, failure: Failed, now: Date): Promise<Recorded> {
    const attempts = delivery.attempts + 1;
    const { reason } = failure;
    const next = decideNext(attempts, failure, this.retries, now);
    if (next.kind === 'retry') {
      return (await retryLater(tx, delivery, { attempts, dueAt: next.dueAt, reason, now })) ? next : { kind: 'lost' };
    }
    if (await this.isCorrected(tx, delivery)) {
      return (await retryLater(tx, delivery, { attempts: 0, dueAt: now, reason, now })) ? { kind: 'corrected' } : { kind: 'lost' };
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

interface Retry {
  readonly attempts: number;
  readonly dueAt: Date;
  readonly reason: string;
  readonly now: Date;
}

/** The start did finish, so it is no longer counted as one that might have crashed a worker. */
function retryLater(tx: Transaction, delivery: LeasedDelivery, { attempts, dueAt, reason, now }: Retry): Promise<boolean> {
  const assignments = `status = 'queued', claims = claims - 1, attempts = $4, due_at = $5, last_error = $6,
    first_failed_at = coalesce(first_failed_at, $7)`;
  return finish(tx, delivery, assignments, [attempts, dueAt, reason, now]);
}

/** Ends the claim, unless the lease was lost. `$1` to `$3` are the claim, the values begin with `$4`. */
async function finish(tx: Transaction, { id, lease }: LeasedDelivery, assignments: string, values: readonly unknown[]): Promise<boolean> {
  const { count } = await sql(
    tx,
    `UPDATE deliveries SET ${assignments}, ${NO_LEASE} WHERE id = $1 AND status = 'running' AND locked_by = $2 AND locked_until = $3`,
    [id, lease.worker, lease.until, ...values],
  );
  return count > 0;
}
