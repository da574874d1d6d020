import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { headerText, writeHeaders } from './headers.js';
import { decodeRecord } from './kafkajs.js';
import { type BatchContext, type DecodedRecord, quickRecord } from './quick-record.js';
import { readHeaders } from './read-headers.js';

type Bytes = Buffer | string | null;
interface Written {
  readonly timestamp?: bigint;
  readonly offset?: bigint;
  readonly key?: Bytes;
  readonly value?: Bytes;
  readonly headers?: readonly (readonly [name: string | Buffer, value: Bytes])[];
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
const content = (bytes: Bytes) => (bytes === null ? varint(-1n) : [...varint(BigInt(Buffer.from(bytes).length)), ...Buffer.from(bytes)]);

/** As a broker sends it. */
const written = ({ timestamp = 5n, offset = 3n, key = 'ORD-1', value = '{}', headers = [] }: Written): Buffer =>
  Buffer.from([
    0,
    ...varint(timestamp),
    ...varint(offset),
    ...content(key),
    ...content(value),
    ...varint(BigInt(headers.length)),
    ...headers.flatMap(([name, header]) => [...content(name), ...content(header)]),
  ]);

const CONTEXT: BatchContext = {
  magicByte: 2,
  firstOffset: '4200',
  firstTimestamp: '1796058991841',
  maxTimestamp: '1796058999999',
  timestampType: 0,
};
const EVENT = Object.entries(
  writeHeaders({
    id: 'evt-1',
    type: 'order.created',
    source: 'orders',
    subject: 'ORD-1',
    time: '2026-10-05T08:00:00.123Z',
    version: 3,
    correlationId: 'req-1',
    causationId: null,
    organizationId: 'shopflow',
    traceparent: null,
    tracestate: 'é',
  }),
);

const Decoder = createRequire(import.meta.url)('kafkajs/src/protocol/decoder.js') as new (buffer: Buffer) => { readonly buffer: Buffer };
const decoded = (record: Written, context = CONTEXT) => quickRecord(new Decoder(written(record)), context);
const kafkaJs = (record: Written, context = CONTEXT) => comparable(decodeRecord(new Decoder(written(record)), context));

const bytes = (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value) : value);
function comparable(record: DecodedRecord | undefined) {
  const { plain: _, headers, ...rest } = record ?? {};
  return { ...rest, headers: Object.entries(readHeaders(headers)).map(([name, value]) => [name, bytes(value)]) };
}

const AS_THEY_COME: Record<string, Written> = {
  'an event': { headers: EVENT },
  'the same event again': { headers: EVENT },
  'one with other values in the same places': { headers: EVENT.map(([name]) => [name, `${name}?`]) },
  'one with texts of the same length': { headers: EVENT.map(([name, value]) => [name, 'x'.repeat(String(value).length)]) },
  'headers in another order': { headers: EVENT.toReversed() },
  'empty and absent values': {
    headers: [
      ['ce_id', ''],
      ['ce_type', null],
      ['other', null],
      ['ce_source', ''],
    ],
  },
  'bytes that are no text': {
    headers: [
      ['ce_id', Buffer.from([0xff, 0xe9])],
      ['ce_type', Buffer.from([0xe9])],
      ['other', Buffer.from([0])],
    ],
  },
  'a tombstone without key': { key: null, value: null },
  'large numbers': { timestamp: 1n << 40n, offset: 2_000_000_000n },
  'a time before the first one of its batch': { timestamp: -86_400_000n },
  'a long value': { value: 'x'.repeat(100_000) },
};

it.each(Object.entries(AS_THEY_COME))('reads %s as kafkajs does', (_, record) => {
  expect(comparable(decoded(record))).toEqual(kafkaJs(record));
});

it("takes the broker's time where that is the record's", () => {
  const context = { ...CONTEXT, timestampType: 1 };
  expect(decoded({}, context)?.timestamp).toBe(CONTEXT.maxTimestamp);
  expect(comparable(decoded({}, context))).toEqual(kafkaJs({}, context));
});

it('gives the headers of our events as texts, and all others as bytes', () => {
  const headers = decoded({
    headers: [
      ['ce_id', 'evt-1'],
      ['retry-key', 'ORD-1'],
      ['ce_subject', 'Ọlá'],
    ],
  })?.headers;
  expect(headers).toEqual({ ce_id: 'evt-1', 'retry-key': Buffer.from('ORD-1'), ce_subject: Buffer.from('Ọlá') });
  expect(headerText(headers, 'ce_subject')).toBe('Ọlá');
});

const UNUSUAL: Record<string, Written> = {
  'a header that is there twice': {
    headers: [
      ['ce_id', 'a'],
      ['ce_id', 'b'],
    ],
  },
  'a header with the name toString': { headers: [['toString', 'a']] },
  'a header with the name __proto__': { headers: [['__proto__', 'a']] },
  'a header with a name beyond ASCII': { headers: [['é', 'a']] },
  'a name that is no text': { headers: [[Buffer.from([0xe9]), 'a']] },
  'a time that is no exact number': { timestamp: (1n << 60n) + 1n },
};

it.each(Object.entries(UNUSUAL))('leaves %s to kafkajs', (_, record) => {
  expect(decoded(record)).toBeUndefined();
});

it('leaves a record that is cut off to kafkajs', () => {
  const all = written({ headers: EVENT });
  for (let length = 1; length < all.length; length++) expect(quickRecord(new Decoder(all.subarray(0, length)), CONTEXT)).toBeUndefined();
});
