import { expect, it } from 'vitest';
import { readableBytes, readableSeconds } from './readable.js';

it.each([
  [0, '0.0 s'],
  [9.94, '9.9 s'],
  [75, '75 s'],
  [600, '10 min'],
  [18_720, '5.2 h'],
  [1_036_800, '12 d'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(readableSeconds(seconds)).toBe(text);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_400_000, '1.4 MB'],
  [640_000_000, '640 MB'],
  [2.5e15, '2500 TB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(readableBytes(bytes)).toBe(text);
});
