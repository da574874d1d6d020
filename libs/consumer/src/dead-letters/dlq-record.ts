import { dlqTopic } from '@shopflow/contracts';
import {
  failureHeaderNames,
  kafkaDlqHeaderNames,
  physicalGroup,
  physicalTopic,
  type ProducerRecord,
  type RawHeaders,
} from '@shopflow/kafka';
import type { DeadLetter } from './dead-letter.js';

/** The letter as a record of `<group>.dlq`: the original key, value and headers byte for byte, and what happened to it beside them. */
export function toDlqRecord(letter: DeadLetter, namespace: string): ProducerRecord {
  const { record } = letter;
  return {
    topic: physicalTopic(namespace, dlqTopic(letter.consumer)),
    key: record.key,
    value: record.value,
    headers: { ...withoutUndefined(record.headers), ...ownHeaders(letter), ...kafkaHeaders(letter, namespace) },
  };
}

function ownHeaders({ record, consumer, attempts, errorKind, reason, firstFailedAt, lastFailedAt }: DeadLetter): Record<string, string> {
  return {
    [failureHeaderNames.topic]: record.topic,
    [failureHeaderNames.partition]: String(record.partition),
    [failureHeaderNames.offset]: String(record.offset),
    [failureHeaderNames.timestamp]: new Date(record.timestamp).toISOString(),
    [failureHeaderNames.group]: consumer,
    [failureHeaderNames.attempts]: String(attempts),
    [failureHeaderNames.firstFailure]: firstFailedAt.toISOString(),
    [failureHeaderNames.lastFailure]: lastFailedAt.toISOString(),
    [failureHeaderNames.errorKind]: errorKind,
    [failureHeaderNames.message]: reason,
  };
}

function kafkaHeaders({ record, consumer, attempts, reason }: DeadLetter, namespace: string): Record<string, string> {
  return {
    [kafkaDlqHeaderNames.topic]: physicalTopic(namespace, record.topic),
    [kafkaDlqHeaderNames.partition]: String(record.partition),
    [kafkaDlqHeaderNames.offset]: String(record.offset),
    [kafkaDlqHeaderNames.group]: physicalGroup(namespace, consumer),
    [kafkaDlqHeaderNames.deliveryCount]: String(attempts),
    [kafkaDlqHeaderNames.message]: reason,
  };
}

function withoutUndefined(headers: RawHeaders): ProducerRecord['headers'] {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
