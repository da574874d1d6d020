import { setTimeout as delay } from 'node:timers/promises';
import { connectKafka, physicalTopic, type RawHeaders, unlessAborted } from '@shopflow/kafka';
import type { Place } from './bench.js';
import { PARTITIONS, TOPIC } from './event.js';

const POLL_MS = 250;
/** Without a new record for so long a contender is given up; what is missing then shows in the result. */
const PATIENCE_MS = 60_000;
/** Anything beyond what was wanted is a repetition and has to be seen too. */
const AFTERWARDS_MS = 1_000;

/** The topic that a contender writes. */
export interface BenchTopic {
  readonly name: string;
  /**
   * Waits until there are so many records, or there is none more for a minute.
   *
   * @param assertAlive throws when whoever writes them is gone
   */
  reaches(records: number, assertAlive: () => void): Promise<void>;
  records(): Promise<number>;
}

/** A record as kafkajs gives it. */
export interface TopicRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
  /** Milliseconds of the broker's clock. */
  readonly timestamp: number;
}

/** Creates the topic, works with it, deletes it. The broker stamps the records: a rate does not depend on how fast anyone reads. */
export async function withTopic<T>(place: Place, work: (topic: BenchTopic) => Promise<T>): Promise<T> {
  const name = physicalTopic(place.namespace, TOPIC);
  const admin = connectKafka({ brokers: place.brokers, clientId: 'bench', logger: place.logger }).admin();
  await admin.connect();
  try {
    const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
    await admin.createTopics({ topics: [{ topic: name, numPartitions: PARTITIONS, configEntries }] });
    const records = async () => (await admin.fetchTopicOffsets(name)).reduce((sum, { high }) => sum + Number(high), 0);
    return await work({ name, records, reaches: (goal, assertAlive) => reaches(goal, assertAlive, records, place) });
  } finally {
    await admin.deleteTopics({ topics: [name] });
    await admin.disconnect();
  }
}

async function reaches(goal: number, assertAlive: () => void, count: () => Promise<number>, { say, signal }: Place): Promise<void> {
  let seen = -1;
  let changed = Date.now();
  while (seen < goal && Date.now() - changed < PATIENCE_MS) {
    assertAlive();
    const now = await count();
    if (now > seen) changed = Date.now();
    seen = Math.max(seen, now);
    if (seen < goal) await delay(POLL_MS, undefined, { signal });
  }
  if (seen < goal) say(`  stalled at ${seen} of ${goal} records`);
  await delay(AFTERWARDS_MS, undefined, { signal });
}

/** Reads from the beginning until `each` has had so many records. */
export async function readRecords(place: Place, topic: BenchTopic, count: number, each: (record: TopicRecord) => void): Promise<void> {
  let read = 0;
  const reader = await followTopic(place, topic.name, { group: 'read', fromBeginning: true }, (record) => {
    each(record);
    return ++read >= count;
  });
  if (count > 0) await reader.done;
  await reader.close();
}

export interface Following {
  /** `each` has answered true. @throws the signal's reason */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Gives every record to `each` until that answers true. Resolves when it has begun to fetch. */
export async function followTopic(
  { brokers, namespace, logger, signal }: Place,
  topic: string,
  { group, fromBeginning }: { readonly group: string; readonly fromBeginning: boolean },
  each: (record: TopicRecord) => boolean,
): Promise<Following> {
  const kafka = connectKafka({ brokers, clientId: 'bench', logger });
  const consumer = kafka.consumer({ groupId: `${namespace}.${group}`, maxWaitTimeInMs: 100 });
  const fetching = new Promise<void>((resolve) => consumer.on(consumer.events.FETCH, () => resolve()));
  const finished = Promise.withResolvers<void>();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const { key, value, headers = {}, timestamp } of batch.messages)
        if (each({ key, value, headers, timestamp: Number(timestamp) })) finished.resolve();
    },
  });
  await unlessAborted(fetching, signal);
  const done = unlessAborted(finished.promise, signal);
  done.catch(() => {}); // whoever waits for it is told
  return { done, close: () => consumer.disconnect() };
}
