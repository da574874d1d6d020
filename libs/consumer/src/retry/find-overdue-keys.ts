import type { Database } from '@shopflow/database';
import type { HeldKey } from '../held/held-key.js';

const PAGE = 100;

/**
 * The held keys that were due before `dueBefore`, the longest overdue first. One pass: a key that stays due is given once,
 * and one that becomes due again meanwhile is not. Keys behind a dead head that blocks are due never.
 */
export async function* findOverdueKeys(database: Database, consumer: string, dueBefore: Date): AsyncGenerator<HeldKey> {
  let last: OverdueKey = { dueAt: '-infinity', topic: '', key: Buffer.alloc(0) };
  for (;;) {
    const { rows } = await database.query<OverdueKey>(FIND, [consumer, dueBefore, last.dueAt, last.topic, last.key]);
    for (const { topic, key } of rows) yield { topic, key };
    if (rows.length < PAGE) return;
    last = rows.at(-1)!;
  }
}

/** The time as text, for a Date has fewer digits than PostgreSQL's. */
type OverdueKey = HeldKey & { readonly dueAt: string };

const FIND = `
  SELECT topic, key, due_at::text AS "dueAt" FROM held_keys
  WHERE consumer = $1 AND due_at < $2 AND due_at >= $3 AND (due_at, topic, key) > ($3, $4, $5)
  ORDER BY due_at, topic, key LIMIT ${PAGE}`;
