import { setTimeout as delay } from 'node:timers/promises';
import type { BatchProducer } from '../batch-producer.js';
import { fill } from './text-record.js';

const PAUSE_MS = 20;

/** Writes one record: a broker that has just started has no producer ids to hand out for a moment. */
export async function untilServed(producer: BatchProducer, topic: string, partition = 0): Promise<void> {
  const batch = fill(producer.open(topic, partition), ['first']);
  while ((await producer.send([batch])).length > 0) await delay(PAUSE_MS);
}
