import { expect, it } from 'vitest';
import { readLine } from './read-line.js';

const kinds = { why: 'text', 'dry-run': 'switch' } as const;

it('tells words, values and switches apart', () => {
  expect(readLine(['replay', '--why', 'it is mended', 'evt-1', '--dry-run'], kinds)).toEqual({
    words: ['replay', 'evt-1'],
    options: { why: 'it is mended', 'dry-run': true },
  });
});

it.each([
  [['--whi', 'x'], "Unknown option '--whi'"],
  [['--why'], "Option '--why <value>' argument missing"],
  [['--why', '--dry-run'], "Option '--why' argument is ambiguous"],
  [['--dry-run=yes'], "Option '--dry-run' does not take an argument"],
  [['--why='], '--why has no value'],
  [['--why', 'a', '--why', 'b'], '--why is given 2 times'],
])('refuses %j in one line', (args, message) => {
  expect(() => readLine(args, kinds)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});
