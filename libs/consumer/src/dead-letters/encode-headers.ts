import type { RawHeaders, RawHeaderValue } from '@shopflow/kafka';

// Headers in the database: JSON, name to base64 (null for a null), or to an array of them when the header is repeated.

type EncodedValue = string | null;
type Encoded = Record<string, EncodedValue | EncodedValue[]>;

const encode = (value: RawHeaderValue): EncodedValue => (value === null ? null : Buffer.from(value).toString('base64'));
const decode = (value: EncodedValue): Buffer | null => (value === null ? null : Buffer.from(value, 'base64'));

/** Every header is an own property, also one whose name is that of a property of all objects. */
export function encodeHeaders(headers: RawHeaders): string {
  const encoded = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.map(encode) : encode(value)]],
  );
  return JSON.stringify(Object.fromEntries(encoded));
}

export function decodeHeaders(encoded: Encoded): Record<string, Buffer | null | (Buffer | null)[]> {
  return Object.fromEntries(
    Object.entries(encoded).map(([name, value]) => [name, Array.isArray(value) ? value.map(decode) : decode(value)]),
  );
}
