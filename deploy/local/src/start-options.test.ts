import { expect, it } from 'vitest';
import { readStartOptions } from './start-options.js';

it('starts everything, with what is there, unless told otherwise', () => {
  expect(readStartOptions([])).toEqual({ fresh: false, without: undefined });
  expect(readStartOptions(['--fresh', '--without', 'audit'])).toEqual({ fresh: true, without: 'audit' });
});

it.each([
  [['--frsh'], 'no option --frsh; there are --fresh, --without'],
  [['fresh'], 'npm start takes no fresh; usage: npm start -- [--fresh] [--without <service>]'],
  [['--without', 'audits'], 'no service "audits" to start without: one of orders, invoices, reminder, relay, email, audit, analytics'],
  [['--without'], '--without has no value'],
])('refuses %j and says what there is', (args, message) => {
  expect(() => readStartOptions(args)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});
