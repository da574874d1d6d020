import { createLogger } from '@shopflow/telemetry';
import { expect, it, vi } from 'vitest';
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

it('tries a failed commit again, unless there is a newer one', async () => {
  const sent: OffsetToCommit[][] = [];
  const committer = new OffsetCommitter(async (offsets) => {
    sent.push(offsets);
    if (sent.length === 1) throw new Error('coordinator moved');
  }, logger);
  committer.note(at(0, 10));
  await vi.waitFor(() => expect(sent).toHaveLength(2), { timeout: 3_000 });
  expect(sent).toEqual([[at(0, 10)], [at(0, 10)]]);
});

it('commits nothing after the assignment is lost', async () => {
  const sent: OffsetToCommit[][] = [];
  const committer = new OffsetCommitter(async (offsets) => void sent.push(offsets), logger);
  committer.note(at(0, 10));
  committer.clear();
  await committer.flush();
  expect(sent).toEqual([]);
});
