import { expect, it } from 'vitest';
import { headerText, type RawHeaders } from './headers.js';
import { readHeaders } from './read-headers.js';

/** As kafkajs 2.2.4 gathers the headers of a record. */
const gathered = (...headers: [name: string, value: Buffer | null][]): RawHeaders =>
  headers.reduce<Record<string, unknown>>(
    (all, [key, value]) => ({
      ...all,
      [key]: all[key] === undefined ? value : Array.isArray(all[key]) ? [...(all[key] as unknown[]), value] : [all[key], value],
    }),
    {},
  ) as RawHeaders;

it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('reads a header with the name %s', (name) => {
  const headers = readHeaders(gathered([name, Buffer.from('x')], ['other', Buffer.from('y')]));
  expect(Object.entries(headers)).toEqual([
    [name, Buffer.from('x')],
    ['other', Buffer.from('y')],
  ]);
});

it('keeps the values of a repeated header, and nulls', () => {
  const headers = readHeaders(gathered(['a', Buffer.from('1')], ['a', null], ['b', null]));
  expect(headers).toEqual({ a: [Buffer.from('1'), null], b: null });
});

it('takes a null for a header that is not there', () => {
  expect(headerText({ a: null }, 'a')).toBeUndefined();
  expect(headerText({ a: [Buffer.from('1'), null] }, 'a')).toBeUndefined();
});
