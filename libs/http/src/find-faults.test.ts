import Type from 'typebox';
import { expect, it } from 'vitest';
import { compileFaultFinder } from './find-faults.js';

const findFaults = compileFaultFinder(
  Type.Object({
    id: Type.Optional(Type.String({ pattern: '^ORD-' })),
    customer: Type.Object({ email: Type.String({ maxLength: 20 }), name: Type.Union([Type.String(), Type.Null()]) }),
    amount: Type.Integer({ minimum: 1, maximum: 100 }),
    tags: Type.Optional(Type.Array(Type.String())),
    channel: Type.Enum(['web', 'app']),
    day: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', wanted: 'a day such as 2026-11-30' })),
  }),
);
const good = { customer: { email: 'ada@shop.ng', name: null }, amount: 5, channel: 'web' };

it('finds no fault in a value that meets the schema', () => {
  expect(findFaults(good)).toEqual([]);
  expect(findFaults({ ...good, id: 'ORD-1', tags: ['a'] })).toEqual([]);
});

it('names every bad field at once, with what the field wants', () => {
  expect(
    findFaults({ id: 'X', customer: { email: 'x'.repeat(21), name: 5 }, amount: 1.5, channel: 'fax', tags: 'a', day: 'today' }),
  ).toEqual([
    { field: 'id', message: 'must be text that matches ^ORD-' },
    { field: 'customer.email', message: 'must be text of at most 20 characters' },
    { field: 'customer.name', message: 'must be text or null' },
    { field: 'amount', message: 'must be a whole number from 1 to 100' },
    { field: 'tags', message: 'must be a list of the right things' },
    { field: 'channel', message: 'must be one of "web", "app"' },
    { field: 'day', message: 'must be a day such as 2026-11-30' },
  ]);
});

it('names the leaves of an object that is missing: those are what somebody has to fill in', () => {
  expect(findFaults({ amount: 5, channel: 'web' }).map(({ field }) => field)).toEqual(['customer.email', 'customer.name']);
});

it('refuses unknown fields by name at every depth, and those with the name of a built-in', () => {
  const value = JSON.parse(
    '{"customer":{"email":"a","name":null,"phone":1},"amount":5,"channel":"web","__proto__":1,"toString":2}',
  ) as unknown;
  expect(findFaults(value)).toEqual([
    { field: 'customer.phone', message: 'is not a known field' },
    { field: '__proto__', message: 'is not a known field' },
    { field: 'toString', message: 'is not a known field' },
  ]);
});

it('does not take an inherited property for a field', () => {
  const finder = compileFaultFinder(Type.Object({ constructor: Type.String() }));
  expect(finder({}).map(({ field }) => field)).toEqual(['constructor']);
});

it.each(['a\0b', 'a\ud800', '\udc00'])('names the field whose text %j PostgreSQL cannot store', (text) => {
  expect(findFaults({ ...good, customer: { email: text, name: text }, tags: ['fine', text] })).toEqual([
    { field: 'customer.email', message: expect.stringContaining('NUL') },
    { field: 'customer.name', message: expect.stringContaining('NUL') },
    { field: 'tags', message: expect.stringContaining('NUL') },
  ]);
});

it('names a key with NUL in it, written so that it can be seen', () => {
  expect(findFaults({ ...good, 'a\0b': 1 })).toEqual([{ field: String.raw`a\u0000b`, message: 'is not a known field' }]);
});

it.each([[null], [[]], ['text'], [5]])('refuses %j, which is no object', (value) => {
  expect(findFaults(value)).toEqual([{ field: 'body', message: 'must be an object' }]);
});

it('looks at a value that is nested 50,000 deep without running out of stack', () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  expect(findFaults({ ...good, tags: deep, customer: deep }).map(({ field }) => field)).toEqual(['customer', 'tags']);
});
