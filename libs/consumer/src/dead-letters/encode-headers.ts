import type { RawHeaders } from '@shopflow/kafka';

// Headers in the database: JSON, name to base64, or to an array of them when the header is repeated.

type Encoded = Record<string, string | string[]>;

const encode = (value: Buffer | string): string => Buffer.from(value).toString('base64');
const decode = (value: string): Buffer => Buffer.from(value, 'base64');

export function encodeHeaders(headers: RawHeaders): string {
  const encoded: Encoded = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) encoded[name] = Array.isArray(value) ? value.map(encode) : encode(value);
  }
  return JSON.stringify(encoded);
}

export function decodeHeaders(encoded: Encoded): Record<string, Buffer | Buffer[]> {
  return Object.fromEntries(
    Object.entries(encoded).map(([name, value]) => [name, Array.isArray(value) ? value.map(decode) : decode(value)]),
  );
}
