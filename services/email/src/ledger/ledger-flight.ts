import { type Database, together } from '@shopflow/database';
import { type Breaker, isOpen } from '../sending/breaker.js';
import type { Announcer } from './announce.js';
import { type Claim, type ClaimDue, type ClaimRequest, NOTHING } from './claim-due.js';
import { lockDispatching, storeBreaker } from './dispatching.js';
import type { Attempted, Recorded, RecordOutcomes } from './record-outcome.js';

export interface Landed {
  /** In the order of the attempts. */
  readonly recorded: readonly Recorded[];
  readonly claim: Claim;
  /** When the breaker changed its state. */
  readonly breaker?: 'open' | 'closed';
}

/** One transaction that writes down the results there are and claims for the slots that they free. */
export class LedgerFlight {
  constructor(
    private readonly database: Database,
    private readonly outcomes: RecordOutcomes,
    private readonly claims: ClaimDue,
    private readonly announcer: Announcer,
  ) {}

  /** @throws when nothing of it was written */
  execute(attempted: readonly Attempted[], now: Date, request?: ClaimRequest): Promise<Landed> {
    return this.database.inTransaction(async (tx) => {
      const before = await lockDispatching(tx, { busy: attempted.length > 1 });
      const { recorded, breaker: after, batch } = await this.outcomes.settle(tx, before, attempted, now);
      const done = new Set(attempted.map(({ delivery }) => delivery.lease.holder + delivery.id));
      const running = before.running.filter(({ id, holder }) => !done.has(holder + id));
      // One behind the other, without waiting: the claim finds what the results put back in the line.
      const [, starts] = await together([
        this.outcomes.write(tx, batch),
        request && this.claims.start(tx, { breaker: after, running }, request),
      ]);
      const breaker = starts?.breaker ?? after;
      await together([
        breaker === before.breaker ? undefined : storeBreaker(tx, breaker),
        starts && this.announcer.started(tx, starts.started),
      ]);
      return { recorded, claim: starts?.claim ?? NOTHING, ...changeOf(before.breaker, breaker) };
    });
  }
}

const changeOf = (before: Breaker, after: Breaker): Pick<Landed, 'breaker'> =>
  isOpen(before) === isOpen(after) ? {} : { breaker: isOpen(after) ? 'open' : 'closed' };
