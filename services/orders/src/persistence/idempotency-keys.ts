import { sql, type Transaction } from '@shopflow/database';

/** Every organization has keys of its own: two that choose the same one do not meet. */
export interface IdempotencyKey {
  readonly organizationId: string;
  readonly key: string;
}

export interface FirstAnswer {
  readonly fingerprint: string;
  /** As it was saved. */
  readonly answer: unknown;
}

/** False when the key is taken. Waits while another transaction that claims the same key is still open. */
export async function claimKey(tx: Transaction, { organizationId, key }: IdempotencyKey, fingerprint: string): Promise<boolean> {
  const text = 'INSERT INTO idempotency_keys (organization_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  const { count } = await sql(tx, text, [organizationId, key, fingerprint]);
  return count === 1;
}

export async function saveAnswer(tx: Transaction, { organizationId, key }: IdempotencyKey, answer: object): Promise<void> {
  const text = 'UPDATE idempotency_keys SET answer = $3 WHERE organization_id = $1 AND key = $2';
  await sql(tx, text, [organizationId, key, JSON.stringify(answer)]);
}

/** A key that somebody else could see has its answer: both are written by one transaction. */
export async function readAnswer(tx: Transaction, { organizationId, key }: IdempotencyKey): Promise<FirstAnswer> {
  const text = 'SELECT fingerprint, answer FROM idempotency_keys WHERE organization_id = $1 AND key = $2';
  const { rows } = await sql<FirstAnswer>(tx, text, [organizationId, key]);
  return rows[0]!;
}
