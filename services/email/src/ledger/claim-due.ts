import { randomUUID } from 'node:crypto';
import type { Transaction } from '@shopflow/database';
import { admits, type Breaker, isOpen } from '../sending/breaker.js';
import type { BuryDelivery } from './bury-delivery.js';
import type { ClaimedDelivery, LeasedDelivery } from './delivery.js';
import type { Dispatching, RunningRow } from './dispatching.js';
import { lockCrashed } from './lock-deliveries.js';
import { type Start, startAgain, startByTurn, type StartedDelivery } from './start-deliveries.js';

export interface ClaimRequest {
  /** Unique per process. */
  readonly worker: string;
  readonly now: Date;
  /** Deliveries that the worker can begin at once. */
  readonly free: number;
  /** The worker sends nothing else now. */
  readonly quiet: boolean;
}

export interface ClaimRules {
  readonly leaseMs: number;
  /** Longest call to the provider. */
  readonly timeoutMs: number;
  /** From the claim until the call begins, at most. */
  readonly marginMs: number;
  /** Calls at the provider at once, over all instances. */
  readonly atOnce: number;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The only delivery has outlived a worker: begin nothing beside it, so that another crash charges nobody else. */
  readonly alone: boolean;
  /** Now dead, because they were started too often without a finish. */
  readonly crashed: readonly LeasedDelivery[];
}

export const NOTHING: Claim = { deliveries: [], alone: false, crashed: [] };

/** Starts without a finish after which a delivery is not started again. */
export const MAX_STARTS = 3;

/** Takes due deliveries for one worker, each for one attempt. */
export class ClaimDue {
  constructor(
    private readonly bury: BuryDelivery,
    private readonly rules: ClaimRules,
  ) {}

  /**
   * Retires what crashed its workers too often, then claims no more than the worker and the provider have room for, in a
   * transaction that holds the lock. The starts in `started` are still to be announced, the breaker to be stored.
   */
  async start(tx: Transaction, { breaker, running }: Dispatching, request: ClaimRequest): Promise<Starts> {
    const { now } = request;
    const expired = running.filter(({ lockedUntil }) => lockedUntil <= now);
    const crashed = expired.some(isSpent) ? await this.retireCrashed(tx, now) : [];
    const calls = running.filter(({ slotUntil }) => slotUntil > now).length;
    const free = admits(breaker, Math.min(request.free, this.rules.atOnce - calls), now);
    const [outlived] = expired.filter((row) => !isSpent(row)).sort(byEnd);
    const rows = await this.startNext(tx, request, free, outlived);
    const deliveries = rows.map(({ fresh: _fresh, ...delivery }) => this.claimed(delivery, now));
    const claim = { deliveries, alone: outlived !== undefined && rows.length > 0, crashed };
    return { started: rows.filter(({ fresh }) => fresh), breaker: this.probing(breaker, rows, now), claim };
  }

  /** What outlived a worker goes first, when nothing else runs; until then nothing new begins. */
  private async startNext(tx: Transaction, { worker, now, quiet }: ClaimRequest, free: number, outlived?: RunningRow) {
    if (free <= 0 || (outlived !== undefined && !quiet)) return [];
    const start: Start = {
      now,
      holder: `${worker}/${randomUUID()}`,
      leaseUntil: later(now, this.rules.leaseMs),
      // A claim counts as a call until here, not until its lease ends: a crash must not hold back the others for that long.
      slotUntil: this.slotUntil(now),
    };
    return outlived === undefined ? startByTurn(tx, start, free) : startAgain(tx, start, outlived.id);
  }

  private async retireCrashed(tx: Transaction, now: Date): Promise<LeasedDelivery[]> {
    const crashed = await lockCrashed(tx, now, MAX_STARTS);
    for (const delivery of crashed) {
      await this.bury.execute(tx, delivery, { attempts: delivery.attempts, errorKind: 'crashed', reason: crashReason(delivery), now });
    }
    return crashed;
  }

  private probing(breaker: Breaker, [first]: readonly StartedDelivery[], now: Date): Breaker {
    return isOpen(breaker) && first ? { ...breaker, probe: { id: first.id, until: this.slotUntil(now) } } : breaker;
  }

  private claimed(delivery: LeasedDelivery, now: Date): ClaimedDelivery {
    const { marginMs, timeoutMs, leaseMs } = this.rules;
    return { ...delivery, callBefore: later(now, marginMs), renewBefore: later(now, marginMs + timeoutMs + leaseMs) };
  }

  private slotUntil(now: Date): Date {
    return later(now, this.rules.marginMs + this.rules.timeoutMs);
  }
}

export interface Starts {
  /** Started for the first time. */
  readonly started: readonly StartedDelivery[];
  readonly breaker: Breaker;
  readonly claim: Claim;
}

export const crashReason = ({ claims }: LeasedDelivery): string => `crashed ${claims} workers`;

const byEnd = (a: RunningRow, b: RunningRow) => a.lockedUntil.getTime() - b.lockedUntil.getTime() || (a.id < b.id ? -1 : 1);

const isSpent = ({ claims }: RunningRow) => claims >= MAX_STARTS;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);
