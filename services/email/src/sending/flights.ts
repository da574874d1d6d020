import { setImmediate as turn } from 'node:timers/promises';
import { classifyDatabaseError } from '@shopflow/database';
import type { Logger } from '@shopflow/telemetry';
import type { Claim, ClaimRequest } from '../ledger/claim-due.js';
import type { ClaimedDelivery } from '../ledger/delivery.js';
import type { Landed, LedgerFlight } from '../ledger/ledger-flight.js';
import type { Attempted, Recorded } from '../ledger/record-outcome.js';
import type { Outcome } from './outcome.js';

/** Whoever sends what is claimed. */
export interface Sender {
  /** What to claim once these results are written; undefined for nothing. */
  request(written: readonly ClaimedDelivery[], now: Date): ClaimRequest | undefined;
  begin(claim: Claim): Promise<void>;
}

interface Passenger extends Attempted {
  readonly delivery: ClaimedDelivery;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The ledger's traffic of one process: one transaction at a time, with all results that came while the one before it was under
 * way, and a claim for the slots that they free. So it is quick when idle, and does the more at once the busier it is.
 */
export class Flights {
  private waiting: Passenger[] = [];
  private claimWanted = false;
  private flying: Promise<void> | undefined;
  private sender: Sender | undefined;
  private claimsFail = false;

  constructor(
    private readonly ledger: LedgerFlight,
    private readonly clock: () => Date,
    private readonly logger: Logger,
  ) {}

  serve(sender: Sender): void {
    this.sender = sender;
  }

  /** @throws when the result is not written; the others' are, unless the database is to blame */
  record(delivery: ClaimedDelivery, outcome: Outcome): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ delivery, outcome, resolve, reject });
      this.takeOff();
    });
  }

  /** Cheap: many calls while one flight is under way are one claim. */
  claim(): void {
    this.claimWanted = true;
    this.takeOff();
  }

  /** Resolves when nothing is under way. */
  async landed(): Promise<void> {
    while (this.flying) await this.flying;
  }

  private takeOff(): void {
    this.flying ??= this.fly().finally(() => {
      this.flying = undefined;
      if (this.claimWanted || this.waiting.length > 0) this.takeOff();
    });
  }

  /** Never rejects. */
  private async fly(): Promise<void> {
    await turn(); // what comes at the same moment goes together
    const aboard = this.waiting.splice(0);
    this.claimWanted = false;
    const now = this.clock();
    const request = this.sender?.request(
      aboard.map(({ delivery }) => delivery),
      now,
    );
    if (aboard.length === 0 && request === undefined) return;
    try {
      await this.land(aboard, await this.ledger.execute(aboard, now, request));
      if (request) this.claimsFail = false;
    } catch (error) {
      await this.mend(aboard, request, error);
    }
  }

  private async land(aboard: readonly Passenger[], { recorded, breaker, claim }: Landed): Promise<void> {
    aboard.forEach(({ resolve }, place) => resolve(recorded[place] ?? { kind: 'lost' }));
    if (breaker === 'open') this.logger.error('provider breaker open: it fails for every delivery; nothing is sent but probes');
    if (breaker === 'closed') this.logger.info('provider breaker closed: the provider answers again');
    await turn(); // what has ended is told before what begins
    await this.sender?.begin(claim);
  }

  /** One that cannot be written must not take the others with it: each goes alone, unless it is the database that fails. */
  private async mend(aboard: readonly Passenger[], request: ClaimRequest | undefined, error: unknown): Promise<void> {
    if (aboard.length === 0) return this.reportClaim(error);
    const hopeless = classifyDatabaseError(error) !== 'other' || (aboard.length === 1 && request === undefined);
    for (const passenger of aboard) {
      if (hopeless) passenger.reject(error);
      else await this.ledger.execute([passenger], this.clock()).then((landed) => this.land([passenger], landed), passenger.reject);
    }
    this.claimWanted ||= !hopeless;
  }

  private reportClaim(error: unknown): void {
    if (!this.claimsFail) this.logger.warn({ err: error }, 'due deliveries cannot be claimed; looking again until they can');
    this.claimsFail = true;
  }
}
