import { expect, it } from 'vitest';
import { maskAddresses, maskFields } from './mask-addresses.js';

it.each([
  ['mailbox bola@shop.invalid does not exist', 'mailbox b***@shop.invalid does not exist'],
  ['invalid recipient not-an@address', 'invalid recipient n***@address'],
  ['Key (email)=(ada@shop.ng) exists', 'Key (email)=(a***@shop.ng) exists'],
  ['"Ada" <ada+x@shop.ng>, bola@b.ng', '"Ada" <a***@shop.ng>, b***@b.ng'],
  ['@handle', '***@handle'],
  ['no address here', 'no address here'],
  ['ọlá@shọp.ng', 'ọ***@shọp.ng'],
])('of %j leaves %j', (text, masked) => {
  expect(maskAddresses(text)).toBe(masked);
});

it('reaches every text of a line, however deep, and leaves the rest as it is', () => {
  const at = new Date(0);
  const line = { reason: 'to ada@shop.ng', n: 1, at, list: ['x@y.ng', 2], deep: { more: { to: 'x@y.ng' } }, none: null };
  expect(maskFields(line)).toEqual({
    reason: 'to a***@shop.ng',
    n: 1,
    at,
    list: ['x***@y.ng', 2],
    deep: { more: { to: 'x***@y.ng' } },
    none: null,
  });
});
