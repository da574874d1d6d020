import { describe, expect, it } from 'vitest';
import { decideNext, readDelays } from './decide-next.js';
import { mayHeal, neverHeals } from './outcome.js';

const now = new Date('2026-10-05T09:00:00Z');
const failure = mayHeal('mail provider timed out');
const waitAfter = (attempts: number, random: number, failed = failure) => {
  const next = decideNext(attempts, failed, { delaysMs: readDelays('2000,15000,60000'), random: () => random }, now);
  return next.kind === 'retry' ? next.dueAt.getTime() - now.getTime() : next.kind;
};

describe('a failed attempt', () => {
  it.each([
    [1, 2_000],
    [2, 15_000],
    [3, 60_000],
  ])('number %i is tried again at any moment within %i ms', (attempts, longest) => {
    expect(waitAfter(attempts, 0)).toBe(0);
    expect(waitAfter(attempts, 0.5)).toBe(longest / 2);
    expect(waitAfter(attempts, 0.9999)).toBeLessThanOrEqual(longest);
    expect(waitAfter(attempts, 0.9999)).toBeGreaterThan(longest * 0.99);
  });

  it('number 4 is the last', () => {
    expect(waitAfter(4, 0)).toBe('dead');
  });

  it('is the last when the provider will refuse it every time', () => {
    expect(waitAfter(1, 0, neverHeals('mailbox bola@shop.invalid does not exist'))).toBe('dead');
  });

  it('is not tried again before the provider said so', () => {
    expect(waitAfter(1, 0, mayHeal('mail provider answered 429', 7_000))).toBe(7_000);
    expect(waitAfter(2, 0.8, mayHeal('mail provider answered 429', 7_000))).toBe(12_000);
  });
});
