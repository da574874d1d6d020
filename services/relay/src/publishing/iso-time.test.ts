import { expect, it } from 'vitest';
import { ISO_BYTES, TimeError, writeIsoTime } from './iso-time.js';

/** What is written for a time that stands between other bytes. */
function written(time: string): string {
  const source = Buffer.from(`<${time}>`);
  const target = Buffer.alloc(ISO_BYTES + 2, '.');
  writeIsoTime(target, 1, source, 1, source.length - 1);
  return target.toString();
}

it.each([
  ['2026-01-31 12:00:00.5+00', '.2026-01-31T12:00:00.500Z.'],
  ['2026-01-31 12:00:00.05+00', '.2026-01-31T12:00:00.050Z.'],
  ['2026-01-31 12:00:00+00', '.2026-01-31T12:00:00.000Z.'],
  ['2026-01-31 12:00:00.123456+00', '.2026-01-31T12:00:00.123Z.'],
  ['0999-12-31 23:59:59.999+00', '.0999-12-31T23:59:59.999Z.'],
])('writes %s with milliseconds', (time, iso) => {
  expect(written(time)).toBe(iso);
});

it.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '10000-01-01 00:00:00+00',
  '2026-01-31 12:00:00+01',
  '2026-01-31 12:00:00.5-03',
  '',
])('refuses %j, which is no time of these years in UTC', (time) => {
  expect(() => written(time)).toThrow(new TimeError(time));
});
