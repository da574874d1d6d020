import { expect, it } from 'vitest';
import { startOffset } from './start-offset.js';

const limits = { low: 0, high: 10_000 };

it('starts a new group at the beginning, without a word', () => {
  expect(startOffset({ committed: null, ...limits }, null)).toEqual({ offset: 0 });
});

it('starts a new group at the oldest record that is left, without a word', () => {
  expect(startOffset({ committed: null, low: 700, high: 10_000 }, null)).toEqual({ offset: 700 });
});

it('goes on where Kafka and the database agree, without a word', () => {
  expect(startOffset({ committed: 500, ...limits }, 500)).toEqual({ offset: 500 });
});

it('starts from the database when it was restored to an earlier state, loudly', () => {
  const { offset, notice } = startOffset({ committed: 900, ...limits }, 400);
  expect([offset, notice?.level, notice?.text]).toEqual([400, 'error', 'Kafka is at 900, the database at 400: the database was restored']);
});

it('starts from the beginning when the database was restored to before the first chunk', () => {
  expect(startOffset({ committed: 900, ...limits }, null)).toMatchObject({ offset: 0, notice: { level: 'error' } });
});

it('starts from Kafka when its commit was lost, for what is read twice takes effect once', () => {
  expect(startOffset({ committed: 400, ...limits }, 900)).toMatchObject({ offset: 400, notice: { level: 'info' } });
});

it('starts from the beginning of a topic that was created anew', () => {
  expect(startOffset({ committed: null, low: 0, high: 30 }, 900)).toMatchObject({ offset: 0, notice: { level: 'error' } });
  expect(startOffset({ committed: 900, low: 0, high: 30 }, 900)).toMatchObject({ offset: 0, notice: { level: 'error' } });
});

it('says which offsets expired unread', () => {
  const { offset, notice } = startOffset({ committed: 100, low: 700, high: 10_000 }, 100);
  expect([offset, notice?.level, notice?.text]).toEqual([700, 'error', expect.stringContaining('offsets 100 to 699 are gone')]);
});

it('says which offsets expired that a restored database no longer knows', () => {
  const { notice } = startOffset({ committed: 900, low: 700, high: 10_000 }, null);
  expect(notice).toMatchObject({ level: 'error', text: expect.stringContaining('offsets 0 to 699 are gone') as string });
});

it('calls nothing lost that the database has, when Kafka has forgotten where the group was', () => {
  expect(startOffset({ committed: null, low: 700, high: 10_000 }, 900)).toMatchObject({ offset: 700, notice: { level: 'info' } });
});
