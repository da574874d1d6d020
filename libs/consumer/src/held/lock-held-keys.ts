import { clientOf, sql, type Transaction } from '@shopflow/database';
import type { Client } from '../unit-of-work.js';
import { type HeldKey, keyText } from './held-key.js';

/**
 * Whether any key of the topic is held: seldom one is, and then nobody needs to ask for each. What has been said of
 * {@link lockHeldKeys} holds for it, too. Sent before it returns.
 */
export async function holdsAny(client: Client, consumer: string, topic: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'consumer-holds-any',
    text: 'SELECT FROM held_keys WHERE consumer = $1 AND topic = $2 LIMIT 1',
    values: [consumer, topic],
  });
  return rowCount === 1;
}

/**
 * Finds out which of the keys are held, and keeps them so until the transaction ends. Waits for whoever is working on one of
 * them. Must be a statement of its own, after the claim: in one with it, it would not see what was committed while the claim waited.
 *
 * @returns their {@link keyText}s
 */
export async function lockHeldKeys(tx: Transaction, consumer: string, topic: string, keys: readonly Buffer[]): Promise<Set<string>> {
  const client = await clientOf(tx);
  const { rows } = await client.query<{ key: Buffer }>({
    name: 'consumer-lock-held-keys',
    text: 'SELECT key FROM held_keys WHERE consumer = $1 AND topic = $2 AND key = ANY($3::bytea[]) ORDER BY key FOR UPDATE',
    values: [consumer, topic, keys],
  });
  return new Set(rows.map(({ key }) => keyText(key)));
}

/**
 * Locks one held key.
 *
 * @param skipLocked does not wait for whoever is working on it
 * @returns how many of its heads have died in a row, or undefined when it is not held, or is skipped
 */
export async function lockHeldKey(
  tx: Transaction,
  consumer: string,
  { topic, key }: HeldKey,
  { skipLocked }: { skipLocked: boolean },
): Promise<{ deaths: number } | undefined> {
  const { rows } = await sql<{ deaths: number }>(
    tx,
    `SELECT deaths FROM held_keys WHERE consumer = $1 AND topic = $2 AND key = $3 FOR UPDATE ${skipLocked ? 'SKIP LOCKED' : ''}`,
    [consumer, topic, key],
  );
  return rows[0];
}

/** Makes the keys held, if they are not, and locks them. In one order for everyone, as all locks. @param keys without two equal ones */
export async function holdKeys(
  tx: Transaction,
  consumer: string,
  topic: string,
  keys: readonly (HeldKey & { dueAt: Date | 'infinity' })[],
): Promise<void> {
  await sql(
    tx,
    `INSERT INTO held_keys (consumer, topic, key, due_at)
     SELECT $1, $2, key, due_at FROM unnest($3::bytea[], $4::timestamptz[]) AS held (key, due_at) ORDER BY key
     ON CONFLICT (consumer, topic, key) DO UPDATE SET due_at = held_keys.due_at`,
    [consumer, topic, keys.map(({ key }) => key), keys.map(({ dueAt }) => dueAt)],
  );
}
