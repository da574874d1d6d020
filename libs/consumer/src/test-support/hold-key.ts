import type { Database } from '@shopflow/database';
import type { HeldKey } from '../held/held-key.js';
import { ORDERS } from './publish.js';

/** An event that waits; everything has a default. */
export interface TestHeldEvent {
  readonly waitsFor?: string;
  readonly type?: string;
  readonly version?: number;
}

export interface TestHeldKey {
  readonly key: string;
  readonly dueAt: Date | string;
  readonly topic?: string;
  readonly consumer?: string;
  /** The head first; none unless given. */
  readonly events?: readonly TestHeldEvent[];
}

/** Puts a key and its events where a group holds them. */
export async function holdKey(
  database: Database,
  { key, dueAt, topic = ORDERS, consumer = 'audit', events = [] }: TestHeldKey,
): Promise<void> {
  const held = [consumer, topic, Buffer.from(key), dueAt];
  await database.query('INSERT INTO held_keys (consumer, topic, key, due_at) VALUES ($1, $2, $3, $4)', held);
  for (const [index, { waitsFor = 'its turn', type = 'order.created', version = 3 }] of events.entries()) {
    await database.query(INSERT_EVENT, [...held, `${key}/${index}`, type, version, waitsFor]);
  }
}

const INSERT_EVENT = `
  INSERT INTO held_events (consumer, source, event_id, topic, key, type, version, partition, "offset", record_time, headers,
    attempts, due_at, waits_for)
  VALUES ($1, 'orders', $5, $2, $3, $6, $7, 0, 0, now(), '{}', 0, $4, $8)`;

/** `orders.events/ORD-1` */
export const nameOf = ({ topic, key }: HeldKey): string => `${topic}/${key.toString()}`;
