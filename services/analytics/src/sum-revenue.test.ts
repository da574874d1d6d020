import { describe, expect, it } from 'vitest';
import { sumByDayAndChannel, utcDay } from './sum-revenue.js';

const amount = (day: string, channel: string, totalKobo: string) => ({ day, channel, totalKobo });

describe('sumByDayAndChannel', () => {
  it('adds up each day and channel by itself', () => {
    const sums = sumByDayAndChannel(
      [amount('2026-10-05', 'web', '100'), amount('2026-10-05', 'app', '20'), amount('2026-10-05', 'web', '3')],
      [],
    );
    expect(sums).toEqual([
      { day: '2026-10-05', channel: 'app', totalKobo: 20n, orders: 1n },
      { day: '2026-10-05', channel: 'web', totalKobo: 103n, orders: 2n },
    ]);
  });

  it('gives the sums in one order whatever the order of the events, so that two transactions cannot deadlock', () => {
    const amounts = [amount('2026-10-06', 'web', '1'), amount('2026-10-05', 'web', '2'), amount('2026-10-06', 'app', '3')];
    const keys = (sums: { day: string; channel: string }[]) => sums.map(({ day, channel }) => `${day} ${channel}`);
    expect(keys(sumByDayAndChannel(amounts, []))).toEqual(keys(sumByDayAndChannel([...amounts].reverse(), [])));
  });

  it('takes back what was added before, and nets what was added just now', () => {
    expect(sumByDayAndChannel([amount('2026-10-05', 'web', '30')], [amount('2026-10-05', 'web', '30')])).toEqual([
      { day: '2026-10-05', channel: 'web', totalKobo: 0n, orders: 0n },
    ]);
    expect(sumByDayAndChannel([], [amount('2026-10-05', 'web', '100')])).toEqual([
      { day: '2026-10-05', channel: 'web', totalKobo: -100n, orders: -1n },
    ]);
  });

  it('is exact beyond what a JavaScript number holds', () => {
    const [sum] = sumByDayAndChannel([amount('2026-10-05', 'web', '9007199254740991'), amount('2026-10-05', 'web', '2')], []);
    expect(sum?.totalKobo).toBe(9007199254740993n);
  });

  it('has nothing to say about no orders', () => {
    expect(sumByDayAndChannel([], [])).toEqual([]);
  });
});

describe('utcDay', () => {
  it('is the date in UTC, also when it is another day in Lagos', () => {
    expect(utcDay(new Date('2026-10-05T23:30:00.000Z'))).toBe('2026-10-05');
    expect(utcDay(new Date('2026-10-06T00:30:00+01:00'))).toBe('2026-10-05');
  });
});
