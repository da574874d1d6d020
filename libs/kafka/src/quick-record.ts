import { headerNames } from './headers.js';
import { RecordBytes } from './record-bytes.js';

/** What kafkajs knows of the batch that a record is in. */
export interface BatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly magicByte: number;
  readonly isControlBatch?: boolean;
  readonly timestampType?: number;
  readonly maxTimestamp?: string;
}

/** A record as kafkajs hands it over. */
export interface DecodedRecord {
  readonly magicByte: number;
  readonly attributes: number;
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Record<string, Buffer | string | null>;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
  /** Each header is there once, under a name that is nothing to JavaScript. */
  readonly plain?: true;
}

export type RecordDecoder = (decoder: { readonly buffer: Buffer }, context: BatchContext) => DecodedRecord;

/** The time is the broker's, the same for the whole batch. */
const LOG_APPEND_TIME = 1;

/** The headers of our own events: where they are ASCII, as nearly always, they are texts at once. */
const TEXTS: ReadonlySet<string> = new Set(Object.values(headerNames));

/** Name and text of the header that was at this place in the record before: most often both are the same again. */
const before: { name: string; text: string }[] = [];

/**
 * Decodes a record as kafkajs does, which takes some sixty objects for one: a buffer for each header, a copy of all headers
 * for each of them, a Long for each byte of a number.
 *
 * @returns undefined for what is unusual: a header that is there twice, or whose name is not ASCII or that of a property of all objects, or a number
 *   beyond 2^53; kafkajs is asked then
 */
export function quickRecord({ buffer }: { readonly buffer: Buffer }, context: BatchContext): DecodedRecord | undefined {
  const bytes = new RecordBytes(buffer);
  const attributes = bytes.int8();
  const timestamp = timestampOf(context, bytes.varint());
  const offset = Number(context.firstOffset) + bytes.varint();
  const key = bytes.buffer(bytes.varint());
  const value = bytes.buffer(bytes.varint());
  const headers = readHeaders(bytes, bytes.varint());
  if (headers === undefined || !bytes.inside || !Number.isSafeInteger(timestamp) || !Number.isSafeInteger(offset)) return undefined;
  return {
    magicByte: context.magicByte,
    attributes,
    timestamp: String(timestamp),
    offset: String(offset),
    key,
    value,
    headers,
    isControlRecord: context.isControlBatch === true,
    batchContext: context,
    plain: true,
  };
}

const timestampOf = ({ timestampType, maxTimestamp, firstTimestamp }: BatchContext, delta: number): number =>
  timestampType === LOG_APPEND_TIME && maxTimestamp ? Number(maxTimestamp) : Number(firstTimestamp) + delta;

function readHeaders(bytes: RecordBytes, count: number): Record<string, Buffer | string | null> | undefined {
  const headers: Record<string, Buffer | string | null> = {};
  for (let place = 0; place < count && bytes.inside; place++) {
    const last = (before[place] ??= { name: '', text: '' });
    const nameLength = bytes.varint();
    const name = bytes.skipIfEqual(last.name, nameLength) ? last.name : bytes.ascii(nameLength);
    if (name === undefined || name in headers) return undefined;
    last.name = name;
    headers[name] = valueOf(bytes, last);
  }
  return headers;
}

function valueOf(bytes: RecordBytes, last: { name: string; text: string }): Buffer | string | null {
  const length = bytes.varint();
  if (!TEXTS.has(last.name)) return bytes.buffer(length);
  if (length > 0 && bytes.skipIfEqual(last.text, length)) return last.text;
  const text = bytes.ascii(length);
  if (text === undefined) return bytes.buffer(length);
  return (last.text = text);
}
