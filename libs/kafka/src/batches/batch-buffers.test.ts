import { expect, it } from 'vitest';
import { BatchBuffers } from './batch-buffers.js';

const MIB = 1024 * 1024;

it('gives a buffer of at least the size asked for, of a power of two', () => {
  const buffers = new BatchBuffers();
  const asked = [1, 16 * 1024, 16 * 1024 + 1, 32 * 1024, MIB - 1, MIB, MIB + 1, 2 ** 26 + 1];
  expect(asked.map((bytes) => buffers.take(bytes).length)).toEqual([2 ** 14, 2 ** 14, 2 ** 15, 2 ** 15, MIB, MIB, 2 * MIB, 2 ** 27]);
});

it('hands a buffer out again once it is given back, and to one alone', () => {
  const buffers = new BatchBuffers();
  const first = buffers.take(100);
  buffers.give(first);
  expect(buffers.take(100)).toBe(first);
  expect(buffers.take(100)).not.toBe(first);
});

it('keeps 4 MiB at most, and none that is larger than 1 MiB', () => {
  const buffers = new BatchBuffers();
  const given: Buffer[] = Array.from({ length: 300 }, () => Buffer.alloc(16 * 1024));
  const large = Buffer.alloc(2 * MIB);
  for (const buffer of [large, ...given]) buffers.give(buffer);
  const taken = Array.from({ length: 300 }, () => buffers.take(1));
  expect(taken.filter((buffer) => given.includes(buffer)).length).toBe((4 * MIB) / (16 * 1024));
  expect(buffers.take(2 * MIB)).not.toBe(large);
  for (const buffer of taken) buffers.give(buffer); // what was taken counts no more
  expect(taken).toContain(buffers.take(1));
});
