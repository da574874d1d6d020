import { expect, it } from 'vitest';
import { RecordQueue } from './record-queue.js';
import { consumed } from './test-support/chunk-of.js';
import { ORDERS, orderRecord } from './test-support/publish.js';

const partition = { topic: ORDERS, partition: 0 };
const batch = (offsets: readonly number[], nextOffset = offsets.at(-1)! + 1) => ({
  ...partition,
  records: offsets.map((offset) => consumed(orderRecord(''), offset)),
  nextOffset,
  highWatermark: nextOffset,
});
const offsetsOf = (queue: RecordQueue, limit = 500) => queue.peek(limit).records.map(({ offset }) => offset);

it('gives records in order until they are done', () => {
  const queue = new RecordQueue(partition);
  queue.restart(3);
  queue.add(batch([3, 4, 5]));
  queue.add(batch([6, 7]));
  queue.advance(5);
  expect(offsetsOf(queue)).toEqual([5, 6, 7]);
  expect(queue.peek(2)).toMatchObject({ from: 5, to: 7 });
});

it('ends a chunk where reading goes on, also behind offsets that hold nothing', () => {
  const queue = new RecordQueue(partition);
  queue.restart(0);
  queue.add(batch([0, 1, 5], 9));
  expect(queue.peek(2).to).toBe(5);
  expect(queue.peek(500).to).toBe(9);
});

it('is full of a few large records as well as of many small ones', () => {
  const queue = new RecordQueue(partition);
  queue.restart(0);
  queue.add({ ...batch([0]), records: [{ ...consumed(orderRecord(''), 0), value: Buffer.alloc(5_000_000) }] });
  expect([queue.full, queue.low]).toEqual([true, false]);
  queue.advance(1);
  expect([queue.full, queue.low]).toEqual([false, true]);
});

it.each([
  ['a large one', { note: Buffer.alloc(5_000_000) }],
  ['one that is there often', { note: Array.from({ length: 50 }, () => 'x'.repeat(100_000)) }],
  ['many without a value', Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`h${n}`, null]))],
])('is full of headers, too: %s', (_what, headers) => {
  const queue = new RecordQueue(partition);
  queue.restart(0);
  queue.add({ ...batch([0]), records: [{ ...consumed(orderRecord(''), 0), headers }] });
  expect([queue.full, queue.low]).toEqual([true, false]);
  queue.advance(1);
  expect([queue.full, queue.low]).toEqual([false, true]);
});

it('takes thousands of ordinary events before it is full', () => {
  const queue = new RecordQueue(partition);
  queue.restart(0);
  const record = consumed(orderRecord(''), 0);
  queue.add({ ...batch([0]), records: Array.from({ length: 3_999 }, (_, offset) => ({ ...record, offset })) });
  expect(queue.full).toBe(false);
});

it('wakes who waits for records', async () => {
  const queue = new RecordQueue(partition);
  queue.restart(0);
  const waiting = queue.wait();
  queue.add(batch([0]));
  await expect(waiting).resolves.toBeUndefined();
});
