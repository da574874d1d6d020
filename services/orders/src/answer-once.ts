import { createHash } from 'node:crypto';
import type { Transaction } from '@shopflow/database';
import { IdempotencyKeyReused } from './order-errors.js';
import { claimKey, type IdempotencyKey, readAnswer, saveAnswer } from './persistence/idempotency-keys.js';

/**
 * Does the work of the first request with this key, and gives every repeat the same answer; repeats that come at the
 * same moment wait for the first one's commit. Work that fails leaves the key unused. Without a key, always does the work.
 *
 * @param request its JSON tells whether a repeat has the same content
 * @throws IdempotencyKeyReused when the key came before with another request
 */
export async function answerOnce<Answer extends object>(
  tx: Transaction,
  key: IdempotencyKey | undefined,
  request: object,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return work();
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  if (!(await claimKey(tx, key, fingerprint))) {
    const first = await readAnswer(tx, key);
    if (first.fingerprint !== fingerprint) throw new IdempotencyKeyReused(key.key);
    return first.answer as Answer;
  }
  const answer = await work();
  await saveAnswer(tx, key, answer);
  return answer;
}
