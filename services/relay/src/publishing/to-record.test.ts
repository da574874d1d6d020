import { expect, it } from 'vitest';
import { toIsoTime } from './to-record.js';

it.each([
  ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31 12:00:00.5+00', '2026-01-31T12:00:00.500Z'],
  ['2026-01-31 12:00:00.123456+00', '2026-01-31T12:00:00.123Z'],
])('gives %s as %s', (postgres, iso) => {
  expect(toIsoTime(postgres)).toBe(iso);
});

it.each(['2026-01-31 12:00:00+01', 'infinity', ''])('refuses %j instead of publishing a wrong time', (postgres) => {
  expect(() => toIsoTime(postgres)).toThrow('a time that is not UTC');
});
