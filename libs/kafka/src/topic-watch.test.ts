import type { ClusterTopicMetadata } from '@platformatic/kafka';
import { createLogger } from '@shopflow/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TopicWatch, whatChanged } from './topic-watch.js';

const found = (topics: Record<string, [id: string, partitions: number]>) =>
  new Map(Object.entries(topics).map(([topic, [id, partitions]]) => [topic, { id, partitions }]));

it('says of each topic what became of it, and nothing of those that stayed', () => {
  const before = found({ same: ['1', 6], gone: ['2', 6], anew: ['3', 6], grown: ['4', 6] });
  const after = found({ same: ['1', 6], anew: ['5', 6], grown: ['4', 12], come: ['6', 1] });
  expect(whatChanged(before, after)).toEqual([
    'gone was deleted',
    'anew was deleted and created anew',
    'grown has 12 partitions instead of 6',
    'come was created',
  ]);
  expect(whatChanged(before, before)).toEqual([]);
});

describe('a watch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('that is stopped and started anew in the middle of a look goes on once, and what the old look found is not said', async () => {
    const answers: ((id: string) => void)[] = [];
    const looks = { metadata: () => new Promise<Metadata>((resolve) => answers.push((id) => resolve(topicOf(id)))), close: async () => {} };
    const options = { brokers: '', clientId: 'test', topics: ['a'], logger: createLogger('test', 'fatal') };
    const watch = new TopicWatch(options, async () => looks);
    const finding = watch.find(new AbortController().signal);
    await vi.advanceTimersByTimeAsync(0);
    answers[0]!('1');
    await finding;
    const changed = vi.fn<(error: Error) => void>();
    watch.start(1_000, changed);
    await vi.advanceTimersByTimeAsync(1_000);
    watch.stop();
    watch.start(1_000, changed);
    answers[1]!('2');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(answers).toHaveLength(3);
    expect(changed).not.toHaveBeenCalled();
    answers[2]!('2');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(changed).toHaveBeenCalledOnce();
    expect(answers).toHaveLength(4);
    watch.stop();
  });
});

type Metadata = { topics: Map<string, ClusterTopicMetadata> };
const topicOf = (id: string): Metadata => ({ topics: new Map([['a', { id, partitions: [], partitionsCount: 1, lastUpdate: 0 }]]) });
