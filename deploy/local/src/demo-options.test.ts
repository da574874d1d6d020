import { UsageError } from '@shopflow/command-line';
import { expect, it } from 'vitest';
import { readDemoOptions } from './demo-options.js';

it.each([
  [[], { json: false, story: 'orders' }],
  [['--json'], { json: true, story: 'orders' }],
  [['--story', 'invoices', '--json'], { json: true, story: 'invoices' }],
])('understands %j', (args, options) => {
  expect(readDemoOptions(args)).toEqual(options);
});

it.each([[['--jsno']], [['json']], [['--story', 'pirates']], [['--story']]])('refuses %j', (args) => {
  expect(() => readDemoOptions(args)).toThrow(UsageError);
});

it('names the stories that there are', () => {
  expect(() => readDemoOptions(['--story', 'pirates'])).toThrow(
    'npm run demo knows no story "pirates"; usage: npm run demo -- [--json] [--story orders | invoices]',
  );
});
