import { sql, type Transaction } from '@shopflow/database';
import { type LeasedDelivery, NO_LEASE } from './delivery.js';

export interface Sent {
  readonly delivery: LeasedDelivery;
  /** Calls charged, the last one included. */
  readonly attempts: number;
  readonly providerId: string;
}

export interface Requeued {
  readonly delivery: LeasedDelivery;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly reason: string;
}

/** Ends claims of this transaction's worker, which nobody can have taken over meanwhile. */
export async function finishSent(tx: Transaction, sent: readonly Sent[], now: Date): Promise<void> {
  if (sent.length === 0) return;
  const columns = [sent.map(({ attempts }) => attempts), sent.map(({ providerId }) => providerId)];
  expectAll(sent, await sql(tx, SENT, [...claimsOf(sent), ...columns, now]));
}

/** The start did finish, so it is no longer counted as one that might have crashed a worker. */
export async function finishForNow(tx: Transaction, requeued: readonly Requeued[], now: Date): Promise<void> {
  if (requeued.length === 0) return;
  const due = requeued.map(({ dueAt }) => dueAt.toISOString());
  const columns = [requeued.map(({ attempts }) => attempts), due, requeued.map(({ reason }) => reason)];
  expectAll(requeued, await sql(tx, REQUEUED, [...claimsOf(requeued), ...columns, now]));
}

/** Takes back one charge of each that waits, for a fault that was not theirs. */
export async function takeBackCharges(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql(tx, UNCHARGED, [ids]);
}

type Finished = readonly { readonly delivery: LeasedDelivery }[];

const claimsOf = (finished: Finished) => [
  finished.map(({ delivery }) => delivery.id),
  finished.map(({ delivery }) => delivery.lease.holder),
];

function expectAll(finished: Finished, { count }: { count: number }): void {
  if (count !== finished.length) throw new Error(`${finished.length - count} of ${finished.length} deliveries changed under their lock`);
}

const SENT = `
  UPDATE deliveries d
  SET status = 'sent', attempts = done.attempts, provider_id = done.provider_id, sent_at = $5, last_error = NULL, ${NO_LEASE}
  FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS done (id, holder, attempts, provider_id)
  WHERE d.id = done.id AND d.status = 'running' AND d.locked_by = done.holder`;

const REQUEUED = `
  UPDATE deliveries d
  SET status = 'queued', claims = claims - 1, attempts = done.attempts, due_at = done.due_at, last_error = done.reason,
      first_failed_at = coalesce(first_failed_at, $6), ${NO_LEASE}
  FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[]) AS done (id, holder, attempts, due_at, reason)
  WHERE d.id = done.id AND d.status = 'running' AND d.locked_by = done.holder`;

const UNCHARGED = `UPDATE deliveries SET attempts = attempts - 1 WHERE id = ANY($1::text[]) AND status = 'queued' AND attempts > 0`;
