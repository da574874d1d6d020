import { expect, it } from 'vitest';
import { readTime } from './read-time.js';

const now = new Date('2026-11-30T10:00:00Z');

it.each([
  ['2h', '2026-11-30T08:00:00.000Z'],
  ['3d', '2026-11-27T10:00:00.000Z'],
  ['90s', '2026-11-30T09:58:30.000Z'],
  ['15m', '2026-11-30T09:45:00.000Z'],
  ['2026-11-29', '2026-11-29T00:00:00.000Z'],
  ['2026-11-29T12:30', '2026-11-29T12:30:00.000Z'],
  ['2026-11-29T12:30:00.5Z', '2026-11-29T12:30:00.500Z'],
  ['2026-11-29T12:30:00+01:00', '2026-11-29T11:30:00.000Z'],
])('understands %s, in UTC unless it says otherwise', (text, time) => {
  expect(readTime('since', text, now).toISOString()).toBe(time);
});

it.each(['yesterday', '2 h', '2w', '2026-02-31T99:00Z', '30.11.2026', '2026', '-3d'])('refuses %s', (text) => {
  expect(() => readTime('since', text, now)).toThrow(`--since ${text} is no time`);
});
