import type { Transaction } from '@shopflow/database';
import type { WakeUp } from '../retry/wake-up.js';
import { Subscriptions } from '../subscriptions.js';
import type { HeldKey } from './held-key.js';
import { type HeldEvent, readHeldEvents } from './read-held-events.js';

/** The wake-up of a key's head; undefined when nothing of the key waits for a time. */
export async function readHead(tx: Transaction, consumer: string, key: HeldKey): Promise<WakeUp | undefined> {
  const [head] = await readHeldEvents(tx, { consumer, ...key }, 1, new Subscriptions());
  return head === undefined || head.dead ? undefined : toWakeUp(key, head);
}

function toWakeUp({ topic, key }: HeldKey, { candidate, attempts, dueAt, reason, firstFailedAt, lastFailedAt }: HeldEvent): WakeUp {
  return { topic, key, dueAt, attempts, record: candidate.record, reason, firstFailedAt, lastFailedAt };
}
