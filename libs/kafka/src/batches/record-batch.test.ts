import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import '../kafkajs.js'; // before any other file of kafkajs is loaded
import { BatchBuffers } from './batch-buffers.js';
import { RecordBatch } from './record-batch.js';
import { textRecord } from './test-support/text-record.js';

const load = createRequire(import.meta.url);
/** The other client's code is the judge. */
const crc32c = load('kafkajs/src/protocol/recordBatch/crc32C') as (bytes: Buffer) => number;
const Decoder = load('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object;
const decode = load('kafkajs/src/protocol/recordBatch/v0/decoder') as (decoder: object) => Promise<Decoded>;

interface Decoded {
  readonly firstOffset: string;
  readonly lastOffsetDelta: number;
  readonly firstTimestamp: string;
  readonly maxTimestamp: string;
  readonly producerId: string;
  readonly producerEpoch: number;
  readonly firstSequence: number;
  readonly records: readonly {
    readonly offset: string;
    readonly timestamp: string;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers: Readonly<Record<string, Buffer>>;
  }[];
}

const NOW = 1_796_058_991_841;
const SEQUENCE = { producerId: 4_000_000_000n, producerEpoch: 3, first: 2_147_483_000 };
const buffers = new BatchBuffers();
const newBatch = () => new RecordBatch('t', 2, buffers);
const sealed = (batch: RecordBatch) => Buffer.from(batch.seal(SEQUENCE, NOW, crc32c));
const decoded = (batch: RecordBatch) => decode(new Decoder(sealed(batch)));
const texts = ({ records }: Decoded) => records.map(({ key, value }) => [key?.toString() ?? null, value?.toString() ?? null]);

it('is read by another client: head, keys, values, headers and nulls', async () => {
  const batch = newBatch();
  batch.append(textRecord('ORD-1', '{"naïve": "₦"}', { ce_id: 'evt-1', empty: '' }));
  batch.append(textRecord(null, null));
  const { records, ...head } = await decoded(batch);
  expect(head).toMatchObject({ firstOffset: '0', lastOffsetDelta: 1, firstTimestamp: String(NOW), maxTimestamp: String(NOW) });
  expect(head).toMatchObject({ producerId: '4000000000', producerEpoch: 3, firstSequence: SEQUENCE.first });
  expect(records[0]).toMatchObject({
    offset: '0',
    timestamp: String(NOW),
    key: Buffer.from('ORD-1'),
    value: Buffer.from('{"naïve": "₦"}'),
  });
  expect(records[0]!.headers).toEqual({ ce_id: Buffer.from('evt-1'), empty: Buffer.from('') });
  expect(records[1]).toMatchObject({ offset: '1', key: null, value: null, headers: {} });
});

it('grows with its records, and its size is what is sent', async () => {
  const batch = newBatch();
  const values = Array.from({ length: 300 }, (_, n) => `${n} ${'x'.repeat(n * 20)}`); // over five sizes of buffer
  for (const value of values) batch.append(textRecord('ORD-1', value));
  expect(batch.size).toBe(sealed(batch).length);
  expect(batch.count).toBe(300);
  expect(texts(await decoded(batch))).toEqual(values.map((value) => ['ORD-1', value]));
});

it('holds a record that is larger than any kept buffer', async () => {
  const batch = newBatch();
  for (const value of ['before', 'x'.repeat(3_000_000), 'after']) batch.append(textRecord('k', value));
  expect((await decoded(batch)).records.map(({ value }) => value!.length)).toEqual([6, 3_000_000, 5]);
});

it('has a checksum over everything from the attributes on, whatever its buffer held before', () => {
  buffers.give(Buffer.alloc(16 * 1024, 0xff));
  const batch = newBatch();
  batch.append(textRecord('k', 'v'));
  const bytes = sealed(batch);
  expect(bytes.readUInt32BE(17)).toBe(crc32c(bytes.subarray(21)) >>> 0);
  expect(bytes.readInt32BE(8)).toBe(bytes.length - 12);
  expect([bytes.readInt32BE(12), bytes[16], bytes.readInt16BE(21)]).toEqual([-1, 2, 0]); // leader epoch, format, attributes
});

it('gives its records back, and they are the same in another batch', async () => {
  const batch = newBatch();
  for (let n = 0; n < 200; n++) batch.append(textRecord(`ORD-${n}`, 'v'.repeat(n), { ce_id: `evt-${n}`, none: null }));
  const records = batch.records();
  expect(records[130]!.read()).toEqual({
    key: 'ORD-130',
    headers: new Map([
      ['ce_id', 'evt-130'],
      ['none', ''],
    ]),
  });
  const other = newBatch(); // offsets of two bytes become such of one
  for (const record of records.slice(100)) other.append(record);
  const all = await decoded(batch);
  const half = await decoded(other);
  expect(half.records.map(({ offset }) => Number(offset))).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(texts(half)).toEqual(texts(all).slice(100));
  expect(half.records.map(({ headers }) => headers)).toEqual(all.records.slice(100).map(({ headers }) => headers));
});

it('can be appended to and sealed again', async () => {
  const batch = newBatch();
  batch.append(textRecord('k', 'a'));
  sealed(batch);
  batch.append(textRecord('k', 'b'));
  expect(texts(await decoded(batch))).toEqual([
    ['k', 'a'],
    ['k', 'b'],
  ]);
});

it('gives its buffer back once', () => {
  const batch = newBatch();
  batch.append(textRecord('k', 'v'));
  batch.release();
  batch.release();
  const taken = [buffers.take(1), buffers.take(1), buffers.take(1)];
  expect(new Set(taken).size).toBe(3);
});
