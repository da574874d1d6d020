import { setTimeout as delay } from 'node:timers/promises';
import { headerNames, headerText, RecordReader } from '@shopflow/kafka';
import { offsetsOf, type TopicPlace } from '../../consumer/read-ids.js';
import type { DrillSource } from '../drill-source.js';
import type { PublishedRecord } from './evidence.js';

type Records = Awaited<ReturnType<RecordReader['read']>>['records'];

const TRIES = 5;
const AGAIN_MS = 2_000;

/** Every record of a source's topic, one partition after the other. Brokers that are back get their partitions back meanwhile: then again. */
export async function readPublished(source: DrillSource, place: TopicPlace): Promise<PublishedRecord[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await readAll(source, place);
    } catch (error) {
      if (tries === TRIES) throw error;
      await delay(AGAIN_MS);
    }
  }
}

async function readAll({ name, topic }: DrillSource, place: TopicPlace): Promise<PublishedRecord[]> {
  const ends = await offsetsOf(topic, place);
  const reader = await RecordReader.connect({ brokers: place.brokers, namespace: place.namespace, clientId: 'drill' });
  const published: PublishedRecord[] = [];
  try {
    for (const { partition, low, high } of ends) {
      for (let offset = low; offset < high;) {
        const { records, nextOffset } = await reader.read({ topic, partition }, offset);
        for (const record of records) published.push(toPublished(name, record));
        offset = nextOffset;
      }
    }
  } finally {
    await reader.close();
  }
  return published;
}

/** A payload that says another key than Kafka's is shown as both. */
function toPublished(source: string, { key, value, headers }: Records[number]): PublishedRecord {
  const payload = JSON.parse(String(value)) as { key: string; place: number };
  const id = headerText(headers, headerNames.id) ?? 'without id';
  return { source, id, key: String(key) === payload.key ? payload.key : `${String(key)} (payload: ${payload.key})`, place: payload.place };
}
