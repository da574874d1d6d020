import { type Database, sql, type Transaction } from '@shopflow/database';
import type { HeldKey } from '../held/held-key.js';

/** An event type that this code reads, and the newest version of it. */
export interface ReadableType {
  readonly type: string;
  readonly latest: number;
}

/** What became of some of the keys. */
export interface WokenKeys {
  /** Their heads are due now. */
  readonly woken: readonly HeldKey[];
  /** Keys that somebody else works on: nothing was done with them, and they are to be looked at again. */
  readonly skipped: number;
}

const PAGE = 500;

/**
 * Makes due now what waits for newer code, where this code is that. Page by page: each is committed before it is given, so
 * that a lock is held for moments. Waits for nobody: a key that is locked for long must not keep others from being looked at.
 */
export async function* wakeNewer(
  database: Database,
  consumer: string,
  readable: readonly ReadableType[],
  now: Date,
): AsyncGenerator<WokenKeys> {
  const types = [readable.map(({ type }) => type), readable.map(({ latest }) => latest)];
  let after = 0;
  for (;;) {
    const { rows: found } = await database.query<HeldKey & { seq: number }>(FIND, [consumer, ...types, now, after]);
    if (found.length === 0) return;
    yield await database.inTransaction((tx) => wakeHeads(tx, [consumer, ...types, now], distinct(found)));
    after = found.at(-1)!.seq;
  }
}

const distinct = (keys: readonly HeldKey[]): HeldKey[] => [
  ...new Map(keys.map((held) => [`${held.topic}/${held.key.toString('hex')}`, held])).values(),
];

const IS_READABLE = `
  held.waits_for = 'newer code' AND held.due_at > $4
  AND EXISTS (SELECT FROM unnest($2::text[], $3::int[]) AS readable (type, latest)
    WHERE readable.type = held.type AND held.version <= readable.latest)`;

const FIND = `
  SELECT topic, key, seq::float8 AS seq FROM held_events AS held
  WHERE consumer = $1 AND ${IS_READABLE} AND seq > $5 ORDER BY seq LIMIT ${PAGE}`;

/** The keys are locked first, as everyone does; what their heads are is seen only then, by the second statement. */
async function wakeHeads(tx: Transaction, values: readonly unknown[], keys: readonly HeldKey[]): Promise<WokenKeys> {
  const { rows: locked } = await sql<HeldKey>(tx, LOCK, [values[0], ...columnsOf(keys)]);
  const { rows: woken } = await sql<HeldKey>(tx, WAKE, [...values, ...columnsOf(locked)]);
  return { woken, skipped: keys.length - locked.length };
}

const columnsOf = (keys: readonly HeldKey[]) => [keys.map(({ topic }) => topic), keys.map(({ key }) => key)];

const LOCK = `
  SELECT topic, key FROM held_keys WHERE consumer = $1 AND (topic, key) IN (SELECT * FROM unnest($2::text[], $3::bytea[]))
  ORDER BY topic, key FOR UPDATE SKIP LOCKED`;

const WAKE = `
  WITH woken AS (
    UPDATE held_events AS held SET due_at = $4
    FROM unnest($5::text[], $6::bytea[]) AS locked (topic, key)
    WHERE held.consumer = $1 AND held.topic = locked.topic AND held.key = locked.key AND ${IS_READABLE}
      AND NOT EXISTS (SELECT FROM held_events AS earlier
        WHERE earlier.consumer = $1 AND earlier.topic = held.topic AND earlier.key = held.key AND earlier.seq < held.seq)
    RETURNING held.topic, held.key)
  UPDATE held_keys SET due_at = $4 FROM woken
  WHERE held_keys.consumer = $1 AND held_keys.topic = woken.topic AND held_keys.key = woken.key
  RETURNING held_keys.topic, held_keys.key`;
