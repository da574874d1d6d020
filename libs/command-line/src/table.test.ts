import { expect, it } from 'vitest';
import { table } from './table.js';

it('aligns text to the left and numbers to the right, and wraps nothing', () => {
  expect(
    table(
      ['cause', 'count', 'seen'],
      [
        ['mail provider answered 503', 2, 'today'],
        ['a\nb\u001b[31m', 10, null],
      ],
    ),
  ).toEqual(['cause                       count  seen', 'mail provider answered 503      2  today', 'a b [31m                       10']);
});

it('shows its heads alone when there is nothing', () => {
  expect(table(['group', 'lag'], [])).toEqual(['group  lag']);
});
