import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { compilePayload } from './payload.js';

const reader = compilePayload(
  Type.Object({
    id: Type.String(),
    address: Type.Optional(Type.Object({ city: Type.String(), zip: Type.Optional(Type.String()) })),
    tags: Type.Array(Type.Object({ name: Type.String() })),
  }),
);
const good = { id: 'a', tags: [{ name: 'x' }] };

describe('naming the fields that are wrong', () => {
  it.each([
    ['nothing when all is well', good, []],
    ['a missing field', { tags: [] }, ['id']],
    ['the leaves of an object that is no object', { ...good, address: 'Lagos' }, ['address.city', 'address.zip']],
    ['a missing leaf of an optional object', { ...good, address: {} }, ['address.city']],
    ['a wrong optional leaf', { ...good, address: { city: 'Lagos', zip: 1 } }, ['address.zip']],
    ['a list as a whole', { ...good, tags: [{ name: 1 }] }, ['tags']],
  ])('names %s', (_what, payload, fields) => {
    expect(reader.invalidFields(payload)).toEqual(fields);
    expect(reader.check(payload)).toBe(fields.length === 0);
  });
});

describe('naming the fields that are unknown', () => {
  it.each([
    ['none of a good payload', good, []],
    ['one at the top', { ...good, coupon: 1 }, ['coupon']],
    ['one inside an object', { ...good, address: { city: 'Lagos', street: 'Allen' } }, ['address.street']],
    ['none of what is no object', [], []],
  ])('names %s', (_what, payload, fields) => {
    expect(reader.unknownFields(payload)).toEqual(fields);
  });
});

it('leaves out an optional field that was not given', () => {
  expect(Object.keys(reader.keepKnownFields({ ...good, address: undefined }))).toEqual(['id', 'tags']);
});
