import { describe, expect, it } from 'vitest';
import { dayOf, readSchedule } from './schedule.js';

const weekdays = readSchedule('0 8 * * 1-5');
const at = (time: string) => new Date(time);
const next = (time: string) => weekdays.nextAfter(at(time))?.toISOString();
const latest = (time: string) => weekdays.latestAt(at(time))?.toISOString();

describe('the schedule of reminders', () => {
  it('goes from Friday noon to Monday at 08:00 UTC', () => {
    expect(next('2026-10-02T12:00:00Z')).toBe('2026-10-05T08:00:00.000Z');
  });

  it.each([
    ['a weekday before the hour', '2026-10-05T07:59:59.999Z', '2026-10-05T08:00:00.000Z'],
    ['the moment itself', '2026-10-05T08:00:00.000Z', '2026-10-06T08:00:00.000Z'],
    ['Saturday', '2026-10-03T08:00:00Z', '2026-10-05T08:00:00.000Z'],
    ['Sunday night', '2026-10-04T23:59:59Z', '2026-10-05T08:00:00.000Z'],
  ])('knows what comes after %s', (_, time, expected) => {
    expect(next(time)).toBe(expected);
  });

  it.each([
    ['the moment itself', '2026-10-05T08:00:00.000Z', '2026-10-05T08:00:00.000Z'],
    ['a moment later', '2026-10-05T08:00:00.001Z', '2026-10-05T08:00:00.000Z'],
    ['a moment before', '2026-10-05T07:59:59.999Z', '2026-10-02T08:00:00.000Z'],
    ['the weekend', '2026-10-04T12:00:00Z', '2026-10-02T08:00:00.000Z'],
    ['Thursday noon: one of the four that were missed since Monday', '2026-10-08T12:00:00Z', '2026-10-08T08:00:00.000Z'],
  ])('knows what was due last at %s', (_, time, expected) => {
    expect(latest(time)).toBe(expected);
  });

  it('is for the UTC date of the due time, also when it is another day elsewhere', () => {
    expect(dayOf(at('2026-10-05T23:30:00Z'))).toBe('2026-10-05');
    expect(dayOf(at('2026-10-06T00:30:00+01:00'))).toBe('2026-10-05');
  });

  it.each([['0 8 * *'], ['every morning'], ['0 8 * * 1-9'], ['0 0 8 * * 1-5'], ['0 8 31 2 *'], ['']])('refuses %j', (pattern) => {
    expect(() => readSchedule(pattern)).toThrow();
  });
});
