import { expect, it } from 'vitest';
import { RecordBytes } from '../record-bytes.js';
import { varintLength, writeVarint } from './varint.js';

it.each([
  [-1, '01'],
  [0, '00'],
  [1, '02'],
  [63, '7e'],
  [64, '8001'],
  [127, 'fe01'],
  [128, '8002'],
  [8191, 'fe7f'],
  [8192, '808001'],
  [2 ** 20 - 1, 'feff7f'],
  [2 ** 20, '80808001'],
  [2 ** 21, '80808002'],
  [2 ** 27 - 1, 'feffff7f'],
  [2 ** 27, '8080808001'],
  [2 ** 31 - 1, 'feffffff0f'],
])('%d is %s, takes as many bytes as announced, and is read back', (value, hex) => {
  const target = Buffer.alloc(8, 0xaa);
  const end = writeVarint(target, 2, value);
  expect(target.subarray(0, end).toString('hex')).toBe(`aaaa${hex}`);
  expect(target[end]).toBe(0xaa);
  expect(varintLength(value)).toBe(end - 2);
  expect(new RecordBytes(target.subarray(2)).varint()).toBe(value);
});
