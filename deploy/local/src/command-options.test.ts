import { expect, it } from 'vitest';
import { readOptions } from './command-options.js';

it('tells which switches are there', () => {
  expect(readOptions('npm start', ['fresh'], ['--fresh'])).toEqual({ fresh: true });
  expect(readOptions('npm start', ['fresh'], [])).toEqual({ fresh: false });
});

it.each([['--frsh'], ['fresh'], ['--fresh=yes'], ['--help']])('refuses %s and says what there is', (argument) => {
  expect(() => readOptions('npm start', ['fresh'], [argument])).toThrow(/usage: npm start -- \[--fresh\]$/);
});
