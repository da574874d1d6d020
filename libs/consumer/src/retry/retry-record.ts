import { retryTopic } from '@shopflow/contracts';
import {
  type ConsumedRecord,
  failureHeaderNames,
  headerText,
  physicalTopic,
  type ProducerRecord,
  type RawHeaders,
  retryHeaderNames,
} from '@shopflow/kafka';
import { boundedText } from '../bounded-text.js';
import { storableTime } from '../dead-letters/storable.js';
import { textFault } from '../text-fault.js';
import { tierOf } from './tier.js';
import type { HeldKey } from '../held/held-key.js';
import type { WakeUp } from './wake-up.js';

const OURS: ReadonlySet<string> = new Set([...Object.values(failureHeaderNames), ...Object.values(retryHeaderNames)]);

/**
 * The head as a record of `<group>.retry.N`: its original key, value and headers byte for byte, and beside them what is
 * known of its failure and when it is due. A header of ours replaces one of that name that is there already.
 */
export function toRetryRecord(wakeUp: WakeUp, { group, namespace }: { group: string; namespace: string }): ProducerRecord {
  const { record } = wakeUp;
  return {
    topic: physicalTopic(namespace, retryTopic(group, tierOf(wakeUp))),
    key: record.key,
    value: record.value,
    headers: { ...originalHeaders(record.headers), ...ourHeaders(wakeUp, group) },
  };
}

function ourHeaders({ topic, key, record, attempts, dueAt, ...failure }: WakeUp, group: string): Record<string, string | Buffer> {
  const { firstFailedAt, lastFailedAt, reason } = failure;
  return {
    [failureHeaderNames.topic]: topic,
    [failureHeaderNames.partition]: String(record.partition),
    [failureHeaderNames.offset]: String(record.offset),
    [failureHeaderNames.timestamp]: storableTime(record.timestamp).toISOString(),
    [failureHeaderNames.group]: group,
    [failureHeaderNames.attempts]: String(attempts),
    ...(firstFailedAt && { [failureHeaderNames.firstFailure]: firstFailedAt.toISOString() }),
    ...(lastFailedAt && { [failureHeaderNames.lastFailure]: lastFailedAt.toISOString() }),
    ...(reason !== null && { [failureHeaderNames.message]: boundedText(reason) }),
    [retryHeaderNames.due]: dueAt.toISOString(),
    [retryHeaderNames.heldKey]: key,
  };
}

const originalHeaders = (headers: RawHeaders): ProducerRecord['headers'] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined || OURS.has(name) ? [] : [[name, value]])));

/** What a retry record means: look at this key at that time. */
export interface DueKey extends HeldKey {
  readonly dueAt: Date;
}

/** Whoever wrote the record, it wakes nothing. */
export interface DamagedRecord {
  readonly fault: string;
}

/** Total: anybody may have written the record. */
export function readRetryRecord({ headers }: Pick<ConsumedRecord, 'headers'>): DueKey | DamagedRecord {
  const topic = headerText(headers, failureHeaderNames.topic);
  if (!topic) return { fault: `${failureHeaderNames.topic} is missing` };
  const topicFault = textFault(failureHeaderNames.topic, topic, MAX_TOPIC_BYTES);
  if (topicFault !== undefined) return { fault: topicFault };
  const key = headers[retryHeaderNames.heldKey];
  if (!Buffer.isBuffer(key)) return { fault: `${retryHeaderNames.heldKey} is ${key ? 'there more than once' : 'missing'}` };
  const due = headerText(headers, retryHeaderNames.due);
  const dueAt = new Date(due ?? Number.NaN);
  if (!isExact(dueAt, due)) return { fault: `${retryHeaderNames.due} is no time: ${boundedText(due ?? 'missing', MAX_QUOTED_BYTES)}` };
  // A slice would keep everything alive that came in the same fetch.
  return { topic, key: Buffer.from(key), dueAt };
}

/** Kafka's own limit for the name of a topic. */
const MAX_TOPIC_BYTES = 249;
const MAX_QUOTED_BYTES = 100;

const isExact = (time: Date, text: string | undefined): boolean => !Number.isNaN(time.getTime()) && time.toISOString() === text;
