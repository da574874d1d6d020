import { expect, it } from 'vitest';
import { readOptions } from './command-options.js';

it('tells which switches are there', () => {
  expect(readOptions('npm run demo', ['json'], ['--json'])).toEqual({ json: true });
  expect(readOptions('npm run demo', ['json'], [])).toEqual({ json: false });
});

it.each([['--jsn'], ['json'], ['--json=yes'], ['--help']])('refuses %s and says what there is', (argument) => {
  expect(() => readOptions('npm run demo', ['json'], [argument])).toThrow(/usage: npm run demo -- \[--json\]$/);
});
