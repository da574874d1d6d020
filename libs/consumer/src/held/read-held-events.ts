import { sql, type Transaction } from '@shopflow/database';
import { decodeHeaders } from '../dead-letters/encode-headers.js';
import type { Candidate } from '../event-item.js';
import { identifyEvent } from '../identify-event.js';
import type { Subscriptions } from '../subscriptions.js';
import type { WaitsFor } from './held-event.js';
import type { HeldKey } from './held-key.js';

/** An event as it waits in held_events. */
export interface HeldEvent {
  readonly seq: number;
  readonly candidate: Candidate & { readonly type: string | null };
  /** Tries that count against it. */
  readonly attempts: number;
  /** Tries that began and did not end, this one included once it has been counted. */
  readonly starts: number;
  readonly dueAt: Date;
  readonly dead: boolean;
  readonly waitsFor: WaitsFor;
  readonly reason: string | null;
  readonly firstFailedAt: Date | null;
  readonly lastFailedAt: Date | null;
}

/** The first events of a key, in order. */
export async function readHeldEvents(
  tx: Transaction,
  { consumer, topic, key }: HeldKey & { consumer: string },
  limit: number,
  subscriptions: Subscriptions,
): Promise<HeldEvent[]> {
  const { rows } = await sql<HeldRow>(tx, READ, [consumer, topic, key, limit]);
  return rows.map((row) => toHeldEvent(row, subscriptions));
}

const READ = `
  SELECT seq::float8 AS seq, source, event_id AS "eventId", topic, type, partition, "offset"::float8 AS "offset",
    record_time AS "recordTime", record_key AS "recordKey", value, headers, attempts, starts, due_at AS "dueAt", state,
    waits_for AS "waitsFor", reason, first_failed_at AS "firstFailedAt", last_failed_at AS "lastFailedAt"
  FROM held_events WHERE consumer = $1 AND topic = $2 AND key = $3 ORDER BY seq LIMIT $4`;

interface HeldRow {
  readonly seq: number;
  readonly source: string;
  readonly eventId: string;
  readonly topic: string;
  readonly type: string | null;
  readonly partition: number;
  readonly offset: number;
  readonly recordTime: Date;
  readonly recordKey: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Record<string, string | string[]>;
  readonly attempts: number;
  readonly starts: number;
  readonly dueAt: Date;
  readonly state: 'waiting' | 'dead';
  readonly waitsFor: WaitsFor;
  readonly reason: string | null;
  readonly firstFailedAt: Date | null;
  readonly lastFailedAt: Date | null;
}

function toHeldEvent(row: HeldRow, subscriptions: Subscriptions): HeldEvent {
  const { seq, attempts, starts, dueAt, waitsFor, reason, firstFailedAt, lastFailedAt } = row;
  const { topic, partition, offset, recordTime, recordKey, value, headers } = row;
  const record = { topic, partition, offset, timestamp: recordTime.getTime(), key: recordKey, value, headers: decodeHeaders(headers) };
  const subscriber = row.type === null ? undefined : subscriptions.find(topic, row.type);
  // What was wrong with its own identity is wrong with it still.
  const { fault } = identifyEvent(record, subscriptions.ownerOf(topic));
  const identity = { source: row.source, eventId: row.eventId, ...(fault !== undefined && { fault }) };
  const candidate = { record, identity, subscriber, type: row.type };
  return { seq, candidate, attempts, starts, dueAt, dead: row.state === 'dead', waitsFor, reason, firstFailedAt, lastFailedAt };
}
