import { createLogger } from '@shopflow/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OffsetCommitter, type OffsetToCommit } from './offset-committer.js';

const logger = createLogger('test', 'fatal');
const at = (partition: number, offset: number): OffsetToCommit => ({ topic: 'orders.events', partition, offset });

it('commits one request at a time, with the newest offset of every partition', async () => {
  const requests: { offsets: OffsetToCommit[]; answer: () => void }[] = [];
  const committer = new OffsetCommitter((offsets) => new Promise((answer) => requests.push({ offsets, answer })), logger);
  committer.note(at(0, 10));
  committer.note(at(1, 5));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  committer.note(at(0, 20));
  committer.note(at(0, 30));
  const flushed = committer.flush();
  requests[0]!.answer();
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  requests[1]!.answer();
  await flushed;
  expect(requests.map(({ offsets }) => offsets)).toEqual([[at(0, 10), at(1, 5)], [at(0, 30)]]);
});

/** A committer whose first requests fail. */
function failing(times: number) {
  const sent: OffsetToCommit[][] = [];
  const committer = new OffsetCommitter(async (offsets) => {
    sent.push(offsets);
    if (sent.length <= times) throw new Error('coordinator moved');
  }, logger);
  return { sent, committer };
}

describe('a failed commit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const aSecond = () => vi.advanceTimersByTimeAsync(1_000);

  it('is tried again, unless there is a newer one', async () => {
    const { sent, committer } = failing(1);
    committer.note(at(0, 10));
    await aSecond();
    expect(sent).toEqual([[at(0, 10)], [at(0, 10)]]);
  });

  it('is tried again though another one failed behind it', async () => {
    const { sent, committer } = failing(2);
    committer.note(at(0, 10));
    await settle();
    committer.note(at(1, 5));
    await settle();
    await aSecond();
    expect(sent).toEqual([[at(0, 10)], [at(1, 5)], [at(0, 10), at(1, 5)]]);
  });

  it('is not tried again once something newer of its partition was noted', async () => {
    const { sent, committer } = failing(1);
    committer.note(at(0, 10));
    await settle();
    committer.note(at(0, 20));
    await aSecond();
    expect(sent).toEqual([[at(0, 10)], [at(0, 20)]]);
  });

  it('is followed by what was noted while it was under way', async () => {
    const failed = Promise.withResolvers<void>();
    const sent: OffsetToCommit[][] = [];
    const committer = new OffsetCommitter((offsets) => (sent.push(offsets) === 1 ? failed.promise : Promise.resolve()), logger);
    committer.note(at(0, 10));
    await settle();
    committer.note(at(0, 20));
    failed.reject(new Error('coordinator moved'));
    await aSecond();
    expect(sent).toEqual([[at(0, 10)], [at(0, 20)]]);
  });

  it('is forgotten with its assignment, also when it fails only afterwards', async () => {
    const failed = Promise.withResolvers<void>();
    const sent: OffsetToCommit[][] = [];
    const committer = new OffsetCommitter((offsets) => (sent.push(offsets) === 1 ? failed.promise : Promise.resolve()), logger);
    committer.note(at(0, 10));
    await settle();
    committer.clear();
    committer.note(at(0, 30));
    failed.reject(new Error('not a member'));
    await aSecond();
    expect(sent).toEqual([[at(0, 10)], [at(0, 30)]]);
    await aSecond();
    expect(sent).toHaveLength(2);
  });

  it('is tried once more when everything is flushed, and not again a second later', async () => {
    const { sent, committer } = failing(1);
    committer.note(at(0, 10));
    await settle();
    await committer.flush();
    expect(sent).toEqual([[at(0, 10)], [at(0, 10)]]);
    await aSecond();
    expect(sent).toHaveLength(2);
  });
});

it('commits nothing after the assignment is lost', async () => {
  const { sent, committer } = failing(0);
  committer.note(at(0, 10));
  committer.clear();
  await committer.flush();
  expect(sent).toEqual([]);
});
