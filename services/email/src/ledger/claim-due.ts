import { type Database, sql, type Transaction } from '@shopflow/database';
import type { Announcer } from './announce.js';
import type { BuryDelivery } from './bury-delivery.js';
import type { ClaimedDelivery, Lease, LeasedDelivery } from './delivery.js';
import { lockCrashed, lockDue, type LockedDelivery, lockExpired } from './lock-deliveries.js';

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

/** Starts without a finish after which a delivery is not started again. */
export const MAX_STARTS = 3;

/** Advisory lock of whoever claims. Any number that nothing else in the database uses. */
const CLAIMING = 7_272_752;

/** Takes due deliveries for one worker, each for one attempt. */
export class ClaimDue {
  constructor(
    private readonly database: Database,
    private readonly announcer: Announcer,
    private readonly bury: BuryDelivery,
    private readonly rules: ClaimRules,
  ) {}

  /** Retires what crashed its workers too often, then claims no more than the worker and the provider have room for. */
  execute(request: ClaimRequest): Promise<Claim> {
    return this.database.inTransaction(async (tx) => {
      // One at a time over all instances: two that count the calls at the provider at once would both find the last slot free.
      await sql(tx, 'SELECT pg_advisory_xact_lock($1)', [CLAIMING]);
      const crashed = await this.retireCrashed(tx, request.now);
      const free = Math.min(request.free, this.rules.atOnce - (await callsAtProvider(tx, request.now)));
      const { next, alone } = free > 0 ? await lockNext(tx, request, free) : { next: [], alone: false };
      return { deliveries: await this.start(tx, next, request), alone, crashed };
    });
  }

  private async retireCrashed(tx: Transaction, now: Date): Promise<LeasedDelivery[]> {
    const crashed = await lockCrashed(tx, now, MAX_STARTS);
    for (const delivery of crashed) {
      await this.bury.execute(tx, delivery, { attempts: delivery.attempts, errorKind: 'crashed', reason: crashReason(delivery), now });
    }
    return crashed;
  }

  private async start(tx: Transaction, locked: readonly LockedDelivery[], { worker, now }: ClaimRequest): Promise<ClaimedDelivery[]> {
    if (locked.length === 0) return [];
    const { leaseMs, timeoutMs, marginMs } = this.rules;
    const lease: Lease = { worker, until: later(now, leaseMs) };
    // A claim counts as a call until here, not until its lease ends: a crash must not hold back the others for that long.
    const slotUntil = later(now, marginMs + timeoutMs);
    await sql(tx, START, [locked.map(({ id }) => id), worker, lease.until, slotUntil, now]);
    for (const delivery of locked) if (delivery.fresh) await this.announcer.started(tx, delivery);
    return locked.map(({ fresh: _fresh, ...delivery }) => ({
      ...delivery,
      claims: delivery.claims + 1,
      lease,
      callBefore: later(now, marginMs),
    }));
  }
}

export const crashReason = ({ claims }: LeasedDelivery): string => `crashed ${claims} workers`;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

const START = `
  UPDATE deliveries
  SET status = 'running', claims = claims + 1, locked_by = $2, locked_until = $3, slot_until = $4, started_at = coalesce(started_at, $5)
  WHERE id = ANY($1)`;

/** What outlived a worker goes first, when nothing else runs; until then nothing new begins. */
async function lockNext(tx: Transaction, { now, quiet }: ClaimRequest, free: number): Promise<{ next: LockedDelivery[]; alone: boolean }> {
  const expired = await lockExpired(tx, now);
  if (expired.length === 0) return { next: await lockDue(tx, now, free), alone: false };
  return quiet ? { next: expired, alone: true } : { next: [], alone: false };
}

async function callsAtProvider(tx: Transaction, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>(tx, `SELECT count(*)::int AS n FROM deliveries WHERE status = 'running' AND slot_until > $1`, [
    now,
  ]);
  return rows[0]?.n ?? 0;
}
