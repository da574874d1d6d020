import type { ClientBase, Pool } from 'pg';
import { discardBehind, discardWaiting } from './discard-waiting.js';
import { findEntries, type FoundEntry, lockEntries } from './find-entries.js';
import { judgeEntry, type Verdict, type Wish } from './judge-entry.js';
import { type Asker, recordRetry } from './record-retry.js';
import { tellRelay } from './tell-relay.js';

export interface DecidedEntry extends Verdict {
  readonly entry: FoundEntry;
}

export interface DecisionRequest extends Wish, Asker {
  /** All is done and taken back: the answer is what would become of each. */
  readonly dryRun: boolean;
}

/**
 * Retries or discards events that were set aside: the decisions, who made them and why, and the message to the relay commit together.
 *
 * @returns one for each of the events that was ever set aside here
 */
export async function decideEntries(pool: Pool, eventIds: readonly string[], request: DecisionRequest): Promise<readonly DecidedEntry[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const decided = await decide(client, eventIds, request);
    await client.query(request.dryRun ? 'ROLLBACK' : 'COMMIT');
    return decided;
  } catch (error) {
    broken = error as Error; // its transaction may be open still
    throw error;
  } finally {
    client.release(broken);
  }
}

async function decide(client: ClientBase, eventIds: readonly string[], request: DecisionRequest): Promise<readonly DecidedEntry[]> {
  await lockEntries(client, eventIds);
  const decided = (await findEntries(client, eventIds)).map((entry) => ({ entry, ...judgeEntry(entry, request) }));
  const wanted = decided.filter(({ result }) => result === 'retry asked' || result === 'discarded').map(({ entry }) => entry);
  const seqs = wanted.map(({ seq }) => seq);
  if (request.what === 'retry') await recordRetry(client, seqs, request);
  else await (request.behind ? discardBehind : discardWaiting)(client, seqs, request);
  // What is given up in the middle of a key changes nothing for its head.
  const moving = wanted.filter(({ head, eventId }) => head === eventId);
  await tellRelay(client, moving);
  return decided;
}
