import { type Database, sql, type Transaction } from '@shopflow/database';
import type { HeldKey } from '../held/held-key.js';

/** An event type that this code reads, and the newest version of it. */
export interface ReadableType {
  readonly type: string;
  readonly latest: number;
}

const PAGE = 500;

/**
 * Makes due now what waits for newer code, where this code is that, and gives the keys. Page by page: each is committed
 * before its keys are given, so that a lock is held for moments.
 */
export async function* wakeNewer(
  database: Database,
  consumer: string,
  readable: readonly ReadableType[],
  now: Date,
): AsyncGenerator<HeldKey> {
  const types = [readable.map(({ type }) => type), readable.map(({ latest }) => latest)];
  let after = 0;
  for (;;) {
    const { rows: found } = await database.query<HeldKey & { seq: number }>(FIND, [consumer, ...types, now, after]);
    if (found.length === 0) return;
    const keys = [found.map(({ topic }) => topic), found.map(({ key }) => key)];
    yield* await database.inTransaction((tx) => wakeHeads(tx, [consumer, ...types, now, ...keys]));
    after = found.at(-1)!.seq;
  }
}

const IS_READABLE = `
  held.waits_for = 'newer code' AND held.due_at > $4
  AND EXISTS (SELECT FROM unnest($2::text[], $3::int[]) AS readable (type, latest)
    WHERE readable.type = held.type AND held.version <= readable.latest)`;

const FIND = `
  SELECT topic, key, seq::float8 AS seq FROM held_events AS held
  WHERE consumer = $1 AND ${IS_READABLE} AND seq > $5 ORDER BY seq LIMIT ${PAGE}`;

/** The keys are locked first, as everyone does; what their heads are is seen only then, by the second statement. */
async function wakeHeads(tx: Transaction, values: readonly unknown[]): Promise<HeldKey[]> {
  const [consumer, , , , topics, keys] = values;
  await sql(tx, LOCK, [consumer, topics, keys]);
  const { rows } = await sql<HeldKey>(tx, WAKE, values);
  return rows;
}

const LOCK = `
  SELECT FROM held_keys WHERE consumer = $1 AND (topic, key) IN (SELECT * FROM unnest($2::text[], $3::bytea[]))
  ORDER BY topic, key FOR UPDATE`;

const WAKE = `
  WITH woken AS (
    UPDATE held_events AS held SET due_at = $4
    FROM (SELECT DISTINCT * FROM unnest($5::text[], $6::bytea[])) AS locked (topic, key)
    WHERE held.consumer = $1 AND held.topic = locked.topic AND held.key = locked.key AND ${IS_READABLE}
      AND NOT EXISTS (SELECT FROM held_events AS earlier
        WHERE earlier.consumer = $1 AND earlier.topic = held.topic AND earlier.key = held.key AND earlier.seq < held.seq)
    RETURNING held.topic, held.key)
  UPDATE held_keys SET due_at = $4 FROM woken
  WHERE held_keys.consumer = $1 AND held_keys.topic = woken.topic AND held_keys.key = woken.key
  RETURNING held_keys.topic, held_keys.key`;
