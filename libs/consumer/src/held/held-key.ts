import { createHash } from 'node:crypto';
import type { ConsumedRecord } from '@shopflow/kafka';

/** In bytes: a longer key may not fit an index row, and is hashed. */
const MAX_KEY_BYTES = 1_000;

/** A key of a topic, as held_keys knows it. `topic` is the logical name of the original topic. */
export interface HeldKey {
  readonly topic: string;
  readonly key: Buffer;
}

/** What must be done in order: the record's key; a record without one is its own key. */
export function heldKeyOf(record: Pick<ConsumedRecord, 'key'>, { eventId }: { eventId: string }): Buffer {
  const key = record.key ?? Buffer.from(eventId);
  return key.length <= MAX_KEY_BYTES ? key : createHash('sha256').update(key).digest();
}

/** A key as a member of a Set or Map: one character for each byte. */
export const keyText = (key: Buffer): string => key.toString('latin1');
