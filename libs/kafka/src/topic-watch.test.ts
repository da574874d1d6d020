import { expect, it } from 'vitest';
import { whatChanged } from './topic-watch.js';

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
