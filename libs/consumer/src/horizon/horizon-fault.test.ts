import { expect, it } from 'vitest';
import { type ArrivalParts, horizonFault } from './horizon-fault.js';

const DAY_MS = 86_400_000;
const days = (count: number) => count * DAY_MS;

const parts = ({ source = 7, segment = 7, dlq = 30 } = {}): ArrivalParts => ({
  sources: [{ topic: 'shopflow.orders.events', retentionMs: days(source), segmentMs: days(segment) }],
  retriesMs: 665_000,
  dlq: { topic: 'shopflow.email.dlq', retentionMs: days(dlq) },
});

it('takes the horizon of 45 days with the topics as they are created', () => {
  expect(horizonFault('email', 45, parts())).toBeUndefined();
});

it('takes a horizon that is exactly long enough, and refuses one that lacks the retries', () => {
  expect(horizonFault('email', 44 + 665_000 / DAY_MS, parts())).toBeUndefined();
  expect(horizonFault('email', 44, parts())).toMatchObject({ neededDays: 45, horizonDays: 44, group: 'email' });
});

it('names each part with its days, and the remedy', () => {
  expect(horizonFault('email', 20, parts({ source: 8 }))?.message).toBe(
    'group email remembers events for 20 days (dedupRetentionDays), and they can arrive for longer: ' +
      'shopflow.orders.events keeps 8 days (retention.ms), plus 7 days for its segment; retries take 0.01 days; ' +
      'shopflow.email.dlq keeps 30 days (retention.ms). ' +
      'Set dedupRetentionDays to 46 or more, or shorten retention.ms or segment.ms of the topic',
  );
});

it.each([{ source: Infinity }, { dlq: Infinity }])('refuses what is kept for ever, and says what to do: %j', (unlimited) => {
  const fault = horizonFault('email', 45, parts(unlimited));
  expect(fault?.message).toContain('keeps its records for ever');
  expect(fault?.message).toContain('set dedupRetentionDays to Infinity');
  expect(horizonFault('email', Infinity, parts(unlimited))).toBeUndefined();
});
