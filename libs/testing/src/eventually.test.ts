import { expect, it } from 'vitest';
import { eventually, NotInTimeError } from './eventually.js';

it('gives the answer of the first check that neither throws nor answers false or undefined', async () => {
  const answers: (() => unknown)[] = [() => undefined, () => false, () => Promise.reject(new Error('not yet')), () => 0];
  expect(await eventually(() => answers.shift()?.())).toBe(0);
});

it('says what did not come true, in which time, and what the last check said', async () => {
  const waiting = eventually(() => Promise.reject(new Error('2 of 3 mails')), { timeoutMs: 60, message: 'three mails' });
  await expect(waiting).rejects.toThrow(new NotInTimeError('three mails', 60, new Error('2 of 3 mails')));
});
