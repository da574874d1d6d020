import { expect, it } from 'vitest';
import { readLine } from './read-line.js';

const kinds = { why: 'text', 'dry-run': 'switch' } as const;

it('tells words, values and switches apart', () => {
  expect(readLine(['replay', '--why', 'it is mended', 'evt-1', '--dry-run'], kinds)).toEqual({
    words: ['replay', 'evt-1'],
    options: { why: 'it is mended', 'dry-run': true },
  });
});

it('leaves it to the command what a value means', () => {
  expect(readLine(['--why', '-1', '--', '--dry-run'], kinds)).toEqual({ words: ['--dry-run'], options: { why: '-1' } });
  expect(readLine(['--why=--dry-run'], kinds)).toEqual({ words: [], options: { why: '--dry-run' } });
});

it.each([
  [['--whi', 'x'], 'no option --whi; there are --why, --dry-run'],
  [['--why'], '--why has no value'],
  [['--why', '--dry-run'], '--why has no value: --dry-run is the next option'],
  [['--dry-run=yes'], '--dry-run takes no value'],
  [['--why='], '--why has no value'],
  [['-w', 'x'], 'no option -w; there are --why, --dry-run'],
  [['--toString'], 'no option --toString; there are --why, --dry-run'],
  [['--dry-run', '--dry-run'], '--dry-run is given 2 times'],
  [['--why', 'a', '--why', 'b'], '--why is given 2 times'],
])('refuses %j in one line', (args, message) => {
  expect(() => readLine(args, kinds)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});
