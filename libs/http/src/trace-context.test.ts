import { expect, it } from 'vitest';
import { readTrace } from './trace-context.js';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it('takes over a valid trace with its state', () => {
  expect(readTrace(PARENT, 'vendor=1')).toEqual({ traceparent: PARENT, tracestate: 'vendor=1' });
});

it('takes over the parent alone when the state is malformed', () => {
  expect(readTrace(PARENT, 'x'.repeat(513))).toEqual({ traceparent: PARENT });
});

it.each([
  '',
  'junk',
  PARENT.replace('00-', 'ff-'),
  PARENT.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
  PARENT.toUpperCase(),
])('treats the malformed parent %j as absent, its state too', (parent) => {
  expect(readTrace(parent, 'vendor=1')).toEqual({});
});
