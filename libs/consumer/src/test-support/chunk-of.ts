import { type EventContract, type EventEnvelope, orderCreated } from '@shopflow/contracts';
import type { Database } from '@shopflow/database';
import type { ConsumedRecord, ProducerRecord } from '@shopflow/kafka';
import { Breaker } from '../breaker/breaker.js';
import type { Chunk } from '../chunk.js';
import { storeStartOffset } from '../consumed-offsets.js';
import type { BatchContext, EventContext } from '../event-context.js';
import type { ChunkOptions } from '../run-chunk.js';
import { Subscriptions } from '../subscriptions.js';
import { ORDERS, orderRecord, type TestEvent } from './publish.js';

/** A record as it would come out of Kafka. */
export function consumed({ key, value, headers }: ProducerRecord, offset: number): ConsumedRecord {
  const bytes = (content: string | Buffer | null) => (content === null ? null : Buffer.from(content));
  const rawHeaders = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, Buffer.from(header as string)]));
  return { topic: ORDERS, partition: 0, offset, timestamp: 1_764_460_800_000, key: bytes(key), value: bytes(value), headers: rawHeaders };
}

/** Orders at offsets 0, 1, 2 … */
export const chunkOf = (...events: readonly TestEvent[]): Chunk =>
  chunkOfRecords(...events.map((event, offset) => consumed(orderRecord('', event), offset)));

export const chunkOfRecords = (...records: readonly ConsumedRecord[]): Chunk => ({
  topic: ORDERS,
  partition: 0,
  records,
  from: 0,
  to: records.length,
});

/** Pauses before the tries of an event, and how long a handler may take. */
export const TEST_LIMITS = { delaysMs: [5_000, 60_000, 600_000], timeLimitMs: 30_000 } as const;

export const testBreaker = (clock: () => Date, threshold = 20): Breaker =>
  new Breaker({ threshold, firstProbeMs: 5_000, mostProbeMs: 60_000, clock, onChange: () => undefined });

type Handler = (event: EventEnvelope<{ orderId: string }>, context: EventContext) => unknown;
type BatchHandler = (events: readonly EventEnvelope<{ orderId: string }>[], context: BatchContext) => unknown;

/** A group without Nest and Kafka, on a database that stands at offset 0. */
export async function groupOf(
  database: Database,
  handlers: { each?: Handler; batch?: BatchHandler; contract?: EventContract; afterDeath?: 'release' | 'block' },
  options: Partial<ChunkOptions> = {},
): Promise<ChunkOptions> {
  const contract = handlers.contract ?? orderCreated;
  const subscriptions = new Subscriptions();
  const subscription = {
    contracts: [contract],
    batch: handlers.batch !== undefined,
    handler: 'Test.handler',
    afterDeath: handlers.afterDeath ?? 'release',
  };
  subscriptions.add(contract.type, subscription, (handlers.batch ?? handlers.each) as never);
  const group = options.group ?? 'audit';
  await storeStartOffset(database, group, { topic: ORDERS, partition: 0 }, 0);
  const signal = new AbortController().signal;
  const clock = () => new Date();
  return { database, subscriptions, group, signal, clock, ...TEST_LIMITS, breaker: testBreaker(clock), oneByOne: false, ...options };
}
