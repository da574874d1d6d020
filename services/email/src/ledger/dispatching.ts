import { sql, together, type Transaction } from '@shopflow/database';
import type { Breaker } from '../sending/breaker.js';
import { prepared } from './prepared.js';

/** A row that is being sent now, or whose worker died. */
export interface RunningRow {
  readonly id: string;
  readonly claims: number;
  readonly holder: string;
  readonly lockedUntil: Date;
  readonly slotUntil: Date;
}

/** What all dispatchers share; nobody else can change it before the transaction ends. */
export interface Dispatching {
  readonly breaker: Breaker;
  readonly running: readonly RunningRow[];
}

type BreakerRow = Omit<Breaker, 'probe'> & { readonly probeId: string | null; readonly probeUntil: Date | null };

/**
 * Locks what the dispatchers share. It is the first lock of whoever claims or writes results down: two that count the calls at
 * the provider at once would both find the last slot free, and two that take their locks in different orders wait for each other.
 *
 * @param options.busy the commit need not wait for the disk. What a crash of PostgreSQL takes back then is a claim or a result of the
 *   last moments: leases bring the deliveries back, their keys keep each e-mail single, and of what is not on disk no event was published
 */
export async function lockDispatching(tx: Transaction, { busy = false } = {}): Promise<Dispatching> {
  const [, locked, running] = await together([
    sql(tx, busy ? `${PLANS}; ${LATER_ON_DISK}` : PLANS),
    prepared<BreakerRow>(tx, 'lock-dispatching', LOCK),
    prepared<RunningRow>(tx, 'running-deliveries', RUNNING),
  ]);
  const row = locked.rows[0];
  if (row === undefined) throw new Error('the row of "dispatching" is gone; INSERT INTO dispatching DEFAULT VALUES brings it back');
  const { probeId, probeUntil, ...breaker } = row;
  const probe = probeId !== null && probeUntil !== null ? { id: probeId, until: probeUntil } : null;
  return { breaker: { ...breaker, probe }, running: running.rows };
}

/** Under the lock of {@link lockDispatching}. */
export async function storeBreaker(tx: Transaction, breaker: Breaker): Promise<void> {
  const { failing, failingSince, openSince, probeAt, probeWaitMs, probe } = breaker;
  const values = [failing, failingSince, openSince, probeAt, probeWaitMs, probe?.id ?? null, probe?.until ?? null];
  await sql(tx, STORE, values);
}

// Planning the walk from organization to organization anew each time would take longer than the walk, and so would compiling it.
const PLANS = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off';
const LATER_ON_DISK = 'SET LOCAL synchronous_commit = off';

const LOCK = `
  SELECT failing, failing_since AS "failingSince", open_since AS "openSince", probe_at AS "probeAt", probe_wait_ms AS "probeWaitMs",
         probe_id AS "probeId", probe_until AS "probeUntil"
  FROM dispatching FOR UPDATE`;

const RUNNING = `
  SELECT id, claims, locked_by AS holder, locked_until AS "lockedUntil", slot_until AS "slotUntil" FROM deliveries WHERE status = 'running'`;

const STORE = `
  UPDATE dispatching SET failing = $1::text[], failing_since = $2, open_since = $3, probe_at = $4, probe_wait_ms = $5, probe_id = $6,
    probe_until = $7`;
