import { sql, type Transaction } from '@shopflow/database';

export interface FirstAnswer {
  readonly fingerprint: string;
  /** As it was saved. */
  readonly answer: unknown;
}

/** False when the key is taken. Waits while another transaction that claims the same key is still open. */
export async function claimKey(tx: Transaction, key: string, fingerprint: string): Promise<boolean> {
  const { count } = await sql(tx, 'INSERT INTO idempotency_keys (key, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    key,
    fingerprint,
  ]);
  return count === 1;
}

export async function saveAnswer(tx: Transaction, key: string, answer: object): Promise<void> {
  await sql(tx, 'UPDATE idempotency_keys SET answer = $2 WHERE key = $1', [key, JSON.stringify(answer)]);
}

/** A key that somebody else could see has its answer: both are written by one transaction. */
export async function readAnswer(tx: Transaction, key: string): Promise<FirstAnswer> {
  const text = 'SELECT fingerprint, answer FROM idempotency_keys WHERE key = $1';
  const { rows } = await sql<FirstAnswer>(tx, text, [key]);
  return rows[0]!;
}
