import { describe, expect, it } from 'vitest';
import { nestsDeeper } from './nests-deeper.js';

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

describe('nestsDeeper', () => {
  it.each([
    ['arrays', nested(101)],
    ['objects', nested(101, '{"a":', '}').replace(':}', ':1}')],
    ['arrays that never close', '['.repeat(100_000)],
    ['arrays in a field behind text with brackets', `{"note":"]]]\\"]]","deep":${nested(100)}}`],
  ])('finds %s beyond the limit', (_name, json) => {
    expect(nestsDeeper(json, 100)).toBe(true);
  });

  it.each([
    ['exactly as deep', nested(100)],
    ['wide and flat', JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ index, tags: [] })))],
    ['text full of brackets', JSON.stringify({ note: '[{"'.repeat(1_000) })],
    ['a long text', JSON.stringify('x'.repeat(1_000_000))],
  ])('takes JSON that is %s', (_name, json) => {
    expect(nestsDeeper(json, 100)).toBe(false);
  });
});
