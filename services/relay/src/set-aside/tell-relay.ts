import type { ClientBase } from 'pg';
import { ASIDE_PREFIX } from './aside-key.js';

/**
 * Tells the relay to look at these keys again, at this transaction's place in the log: it is told if and only if the transaction
 * commits, and also when it runs only later.
 */
export async function tellRelay(client: ClientBase, keys: readonly { readonly topic: string; readonly key: string }[]): Promise<void> {
  if (keys.length === 0) return;
  await client.query(
    `SELECT count(pg_logical_emit_message(true, $1, json_build_object('topic', topic, 'key', key)::text))
     FROM (SELECT DISTINCT topic, key FROM unnest($2::text[], $3::text[]) AS given (topic, key)) distinct_keys`,
    [ASIDE_PREFIX, keys.map(({ topic }) => topic), keys.map(({ key }) => key)],
  );
}
