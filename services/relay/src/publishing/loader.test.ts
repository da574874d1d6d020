import { BatchBuffers, RecordBatch } from '@shopflow/kafka';
import { beforeEach, expect, it } from 'vitest';
import { asideKey } from '../set-aside/aside-key.js';
import { eventRow, outboxRow } from '../test-support/event-rows.js';
import { eventOf } from './event-of-record.js';
import { EventRow } from './event-row.js';
import { Flight } from './flight.js';
import { FLIGHT_BYTES, Loader } from './loader.js';
import type { OutboxRow } from './outbox-row.js';

const PARTITIONS = 3;
const buffers = new BatchBuffers();
const K = asideKey('orders.events', 'K');

let topics: string[];
let loader: Loader;
let flight: Flight;

beforeEach(() => {
  topics = ['shop.orders.events', 'shop.invoices.events'];
  flight = new Flight();
  loader = new Loader(
    { namespace: 'shop', source: 'orders' },
    {
      partitionsOf: (topic) => (topics.includes(topic) ? PARTITIONS : undefined),
      open: (topic, partition) => new RecordBatch(topic, partition, buffers),
    },
  );
  loader.aside = { keys: new Set(), discarded: new Set() };
});

const row = (id: string, key: string, columns: Partial<OutboxRow> = {}) => eventRow({ id, aggregateid: key, ...columns });
const load = (id: string, key: string, columns: Partial<OutboxRow> = {}) => loader.load(flight, row(id, key, columns));
const idsIn = ({ batch }: { batch: RecordBatch }) => batch.records().map((record) => eventOf(record).id);
const sent = () => flight.allLoads().flatMap(idsIn);
const aside = () => flight.aside.map(({ eventId, reason }) => [eventId, reason]);
const text = (bytes: number) => JSON.stringify('x'.repeat(bytes));

it('writes each event into the batch of its topic and partition, those of a key in their order', () => {
  for (const [n, key] of ['K', 'L', 'K', 'M', 'K'].entries()) expect(load(String(n), key)).toBe('loaded');
  load('invoice', 'K', { topic: 'invoices.events' });
  expect(flight.allLoads().map(({ topic }) => topic.physical)).toContain('shop.invoices.events');
  const [hot] = flight.allLoads().filter((each) => idsIn(each).includes('0'));
  expect(idsIn(hot!).filter((id) => ['0', '2', '4'].includes(id))).toEqual(['0', '2', '4']);
  expect(sent()).toHaveLength(6);
});

it('takes nothing before it is known what is set aside', () => {
  loader.aside = undefined;
  expect(load('a', 'K')).toBe('full');
});

it('names a topic that is not known, and loads the event once it is', () => {
  topics = [];
  expect(load('a', 'K')).toEqual({ unknown: 'shop.orders.events' });
  expect(flight.isEmpty).toBe(true);
  topics = ['shop.orders.events'];
  expect(load('a', 'K')).toBe('loaded');
});

it('takes about as much as one flight holds, whatever the partitions', () => {
  const bytes = 100_000;
  let n = 0;
  while (load(String(n), `ORD-${n}`, { payload: text(bytes) }) === 'loaded') n += 1;
  expect(flight.bytes).toBeLessThan(FLIGHT_BYTES + bytes + 1_000);
  expect(n).toBeGreaterThan(5);
});

it('takes no more of a hot partition than a batch holds, but one event of any size', () => {
  expect(load('huge', 'K', { payload: text(1_500_000) })).toBe('loaded');
  expect(load('next', 'K')).toBe('full');
  flight = new Flight();
  let n = 0;
  while (load(String(n), 'K', { payload: text(50_000) }) === 'loaded') n += 1;
  const { batch } = flight.allLoads()[0]!;
  expect(batch.size).toBeLessThanOrEqual(512_000);
  expect(n).toBe(10);
});

it('takes less at once of a topic that has refused a batch for its size', () => {
  load('first', 'K');
  flight.allLoads()[0]!.topic.batchBytes = 2_000;
  let n = 0;
  while (load(String(n), 'K', { payload: text(300) }) === 'loaded') n += 1;
  expect(flight.allLoads()[0]!.batch.size).toBeLessThanOrEqual(2_000);
  expect(n).toBeGreaterThan(0);
});

it('puts what comes for a key that is set aside behind it, and lets other keys and topics pass', () => {
  loader.aside!.keys.add(K);
  load('a', 'K');
  load('b', 'L');
  load('c', 'K', { topic: 'invoices.events' });
  expect(aside()).toEqual([['a', null]]);
  expect(sent().sort()).toEqual(['b', 'c']);
});

it('skips a discarded event, unless somebody asked for it again', () => {
  loader.aside!.discarded.add('a');
  expect(load('a', 'K')).toBe('loaded');
  expect([sent(), aside()]).toEqual([[], []]);
  expect(flight.isEmpty).toBe(false); // its position has to be acknowledged
  loader.load(flight, EventRow.fromColumns(outboxRow({ id: 'a' }), true));
  expect(sent()).toEqual(['a']);
});

it('sets an event aside that can be no record, with what follows of its key', () => {
  load('before', 'K');
  load('never', 'K', { created_at: 'infinity' });
  load('after', 'K');
  load('other', 'L');
  expect(sent().sort()).toEqual(['before', 'other']);
  expect(aside()).toEqual([
    ['never', 'created_at infinity is no time of the years 0001 to 9999 in UTC'],
    ['after', null],
  ]);
});

it('takes what is loaded of a key back out of the batches, before what came of it later', () => {
  load('a', 'K');
  load('x', 'L');
  load('b', 'K');
  load('never', 'K', { created_at: 'infinity' });
  const { topic } = flight.allLoads()[0]!;
  loader.divert(flight, topic, 'K');
  expect(sent()).toEqual(['x']);
  expect(aside().map(([id]) => id)).toEqual(['a', 'b', 'never']);
});
