import type { RecordBatch } from '../record-batch.js';
import type { RecordContent } from '../record-content.js';
import { varintLength, writeVarint } from '../varint.js';

type Headers = Readonly<Record<string, string | null>>;

/** A record of texts, null where Kafka has null. */
export function textRecord(key: string | null, value: string | null, headers: Headers = {}): RecordContent {
  const entries = Object.entries(headers).flat();
  const bytes = Buffer.concat([...[key, value].map(sized), varint(entries.length / 2), ...entries.map(sized)]);
  return { bytes: bytes.length, write: (target, at) => void bytes.copy(target, at) };
}

/** Appends one record for each value. */
export function fill(batch: RecordBatch, values: readonly string[]): RecordBatch {
  for (const value of values) batch.append(textRecord('ORD-1', value));
  return batch;
}

function sized(text: string | null): Buffer {
  if (text === null) return varint(-1);
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(varintLength(value));
  writeVarint(bytes, 0, value);
  return bytes;
}
