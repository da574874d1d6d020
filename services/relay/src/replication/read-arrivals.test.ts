import { beforeEach, expect, it } from 'vitest';
import type { Arrival } from '../publishing/arrivals.js';
import type { EventRow } from '../publishing/event-row.js';
import { OUTBOX_COLUMNS } from '../publishing/outbox-row.js';
import { ReadArrivals } from './read-arrivals.js';

let arrivals: Arrival[];
let replies: number;
let reader: ReadArrivals;

beforeEach(() => {
  arrivals = [];
  replies = 0;
  reader = new ReadArrivals(
    (arrival) => arrivals.push(arrival),
    () => replies++,
  );
});

it('takes the position of a keepalive between transactions only', () => {
  reader.keepalive(5n, false);
  reader.begin();
  reader.keepalive(9n, true);
  reader.commit(12n);
  reader.keepalive(13n, false);
  expect(arrivals).toEqual([5n, 12n, 13n].map((lsn) => ({ kind: 'position', lsn })));
  expect(replies).toBe(1);
});

it('reads columns by name, wherever they stand in the table', () => {
  const columns = ['added_later', ...[...OUTBOX_COLUMNS].reverse()];
  reader.output({ kind: 'relation', id: 7, relation: { name: 'outbox', columns } });
  const bytes = insertOf(7, columns);
  reader.insert(bytes, 3, bytes.length);
  const [row] = arrivals as [EventRow];
  expect(OUTBOX_COLUMNS.map((column) => row.text(column))).toEqual(OUTBOX_COLUMNS);
});

/** An insert message behind three other bytes, each value as text. */
function insertOf(relationId: number, values: readonly string[]): Buffer {
  const head = Buffer.from('...I....N..');
  head.writeUInt32BE(relationId, 4);
  head.writeUInt16BE(values.length, 9);
  const sized = values.map((value) => Buffer.concat([Buffer.from('t'), Buffer.of(0, 0, 0, value.length), Buffer.from(value)]));
  return Buffer.concat([head, ...sized]);
}

it('stops at a table or a column that it does not know', () => {
  const describe = (name: string, columns: string[]) => reader.output({ kind: 'relation', id: 1, relation: { name, columns } });
  expect(() => describe('orders', [])).toThrow('table orders in the publication');
  expect(() => describe('outbox', ['id'])).toThrow('table outbox without the column aggregateid');
  expect(() => reader.insert(insertOf(2, []), 3, 11)).toThrow('relation 2, which was not described');
});

it('takes messages of the relay alone', () => {
  reader.output({ kind: 'message', prefix: 'other', lsn: 1n, content: Buffer.from('x') });
  reader.output({ kind: 'message', prefix: 'relay', lsn: 2n, content: Buffer.from('5:7:5') });
  reader.output({ kind: 'message', prefix: 'relay-aside', lsn: 3n, content: Buffer.from('{"topic":"orders.events","key":"ORD-1"}') });
  expect(arrivals).toEqual([
    { kind: 'snapshot', lsn: 2n, snapshot: '5:7:5' },
    { kind: 'decision', topic: 'orders.events', key: 'ORD-1' },
  ]);
});
