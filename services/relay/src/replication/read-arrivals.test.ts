import { beforeEach, expect, it } from 'vitest';
import type { Arrival } from '../publishing/arrivals.js';
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
  reader.output({ kind: 'begin' });
  reader.keepalive(9n, true);
  reader.output({ kind: 'commit', end: 12n });
  reader.keepalive(13n, false);
  expect(arrivals).toEqual([5n, 12n, 13n].map((lsn) => ({ kind: 'position', lsn })));
  expect(replies).toBe(1);
});

it('reads columns by name, wherever they stand in the table', () => {
  const columns = ['added_later', ...[...OUTBOX_COLUMNS].reverse()];
  reader.output({ kind: 'relation', id: 7, relation: { name: 'outbox', columns } });
  reader.output({ kind: 'insert', relationId: 7, values: columns.map((column) => Buffer.from(column)) });
  const row = Object.fromEntries(OUTBOX_COLUMNS.map((column) => [column, Buffer.from(column)]));
  expect(arrivals).toEqual([{ kind: 'event', row }]);
});

it('stops at a table or a column that it does not know', () => {
  const describe = (name: string, columns: string[]) => reader.output({ kind: 'relation', id: 1, relation: { name, columns } });
  expect(() => describe('orders', [])).toThrow('table orders in the publication');
  expect(() => describe('outbox', ['id'])).toThrow('table outbox without the column aggregateid');
  expect(() => reader.output({ kind: 'insert', relationId: 2, values: [] })).toThrow('relation 2, which was not described');
});

it('takes messages of the relay alone', () => {
  reader.output({ kind: 'message', prefix: 'other', lsn: 1n, content: Buffer.from('x') });
  reader.output({ kind: 'message', prefix: 'relay', lsn: 2n, content: Buffer.from('5:7:5') });
  expect(arrivals).toEqual([{ kind: 'snapshot', lsn: 2n, snapshot: '5:7:5' }]);
});
