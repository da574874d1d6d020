import { expect, it } from 'vitest';
import { WaitingRecords } from './waiting-records.js';

const record = (bytes = 10) => ({ topic: 'email.retry.1', key: null, value: Buffer.alloc(bytes), headers: {} });

it('gives records in their order, a page at a time', () => {
  const waiting = new WaitingRecords();
  const records = Array.from({ length: 1_200 }, () => record());
  records.forEach((each) => waiting.add(each));
  expect([waiting.take(), waiting.take(), waiting.take()].map((page) => page.length)).toEqual([500, 500, 200]);
  expect(waiting.take()).toEqual([]);
});

it('gives large records in small pages, and one that is larger than a page alone', () => {
  const waiting = new WaitingRecords();
  [3_000_000, 2_000_000, 5_000_000, 10].forEach((bytes) => waiting.add(record(bytes)));
  expect([waiting.take(), waiting.take(), waiting.take(), waiting.take()].map((page) => page.length)).toEqual([1, 1, 1, 1]);
});

it('refuses what would take more than 10,000 records or 64 MB, and says so once until it is empty', () => {
  const waiting = new WaitingRecords();
  for (let count = 0; count < 10_000; count++) waiting.add(record(1));
  expect([waiting.add(record()), waiting.add(record())]).toEqual(['first refusal', 'refused']);
  expect(waiting.clear()).toBe(10_000);
  expect(waiting.add(record(64_000_000))).toBe('added');
  expect([waiting.add(record(1)), waiting.add(record(1))]).toEqual(['first refusal', 'refused']);
});

it('counts the bytes of headers too', () => {
  const waiting = new WaitingRecords();
  const headers = { one: 'x'.repeat(40_000_000), two: [Buffer.alloc(30_000_000), null] };
  expect(waiting.add({ ...record(), headers })).toBe('first refusal');
});
