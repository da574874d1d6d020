import { partitionOfKey } from './partition-of-key.js';
import type { HeaderValue, ProducerRecord } from './producer-record.js';

/** A record as the client encodes it: bytes throughout, its partition chosen. */
export interface Message {
  readonly topic: string;
  readonly partition: number;
  readonly key: Buffer | undefined;
  readonly value: Buffer | undefined;
  /** A null is Kafka's null, which the client writes although its types do not know it. */
  readonly headers: Map<Buffer, Buffer>;
  /** What it takes of a batch at most, in bytes. */
  readonly bytes: number;
}

/** Lengths, deltas and attributes around a record, and the two lengths of a header. */
const RECORD_OVERHEAD = 32;
const HEADER_OVERHEAD = 10;

let nextPartition = 0;

export function toMessages(records: readonly ProducerRecord[], partitionsOf: (topic: string) => number): Message[] {
  return records.map((record) => toMessage(record, partitionsOf(record.topic)));
}

function toMessage(record: ProducerRecord, partitions: number): Message {
  const key = bytesOf(record.key);
  const value = bytesOf(record.value);
  const headers = new Map<Buffer, Buffer | undefined>();
  let bytes = RECORD_OVERHEAD + (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in record.headers) {
    for (const content of contentsOf(record.headers[name] ?? null)) {
      const nameBytes = headers.has(headerName(name)) ? Buffer.from(name) : headerName(name);
      headers.set(nameBytes, content);
      bytes += HEADER_OVERHEAD + nameBytes.length + (content?.length ?? 0);
    }
  }
  const partition = key === undefined ? nextPartition++ % partitions : partitionOfKey(key, partitions);
  return { topic: record.topic, partition, key, value, headers: headers as Map<Buffer, Buffer>, bytes };
}

const contentsOf = (value: HeaderValue): (Buffer | undefined)[] =>
  typeof value === 'string' || value === null || Buffer.isBuffer(value) ? [bytesOf(value)] : value.map(bytesOf);

function bytesOf(content: string | Buffer | null): Buffer | undefined {
  if (content === null) return undefined;
  return typeof content === 'string' ? Buffer.from(content) : content;
}

const headerNameBytes = new Map<string, Buffer>();
const KNOWN_NAMES = 200;

/** The few header names there are, encoded once. */
function headerName(name: string): Buffer {
  const known = headerNameBytes.get(name);
  if (known !== undefined) return known;
  const bytes = Buffer.from(name);
  if (headerNameBytes.size < KNOWN_NAMES) headerNameBytes.set(name, bytes);
  return bytes;
}
