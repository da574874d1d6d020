import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { schemaFingerprint } from './fingerprint.js';

const schema = Type.Object({ orderId: Type.String({ pattern: '^ORD-' }), description: Type.String() });
const released = schemaFingerprint(schema);

describe('what the lock compares', () => {
  it.each([
    [
      'a meaning that was reworded',
      Type.Object({ ...schema.properties, orderId: Type.String({ pattern: '^ORD-', description: 'The order.' }) }),
    ],
    ['a description of the whole', Type.Object(schema.properties, { description: 'An order.' })],
    ['fields in another order', Type.Object({ description: Type.String(), orderId: Type.String({ pattern: '^ORD-' }) })],
  ])('is not changed by %s', (_what, same) => {
    expect(schemaFingerprint(same)).toBe(released);
  });

  it.each([
    ['another pattern', Type.Object({ ...schema.properties, orderId: Type.String({ pattern: '^ORD' }) })],
    ['a field that became optional', Type.Object({ ...schema.properties, orderId: Type.Optional(schema.properties.orderId) })],
    ['a new field', Type.Object({ ...schema.properties, note: Type.String() })],
    ['a removed field, even one that is called description', Type.Object({ orderId: schema.properties.orderId })],
    ['another type of a field that is called description', Type.Object({ ...schema.properties, description: Type.Integer() })],
    ['closing the schema', Type.Object(schema.properties, { additionalProperties: false })],
  ])('is changed by %s', (_what, other) => {
    expect(schemaFingerprint(other)).not.toBe(released);
  });
});
