import { expect, it } from 'vitest';
import { PgOutputError, readPgOutput, readValues } from './pgoutput.js';

// The real messages are read by the tests against a server; here is what a server sends rarely or never.
it('passes over types and origins', () => {
  expect(readPgOutput(Buffer.from('Y...'))).toBeUndefined();
  expect(readPgOutput(Buffer.from('O...'))).toBeUndefined();
});

it('stops at what it does not know instead of skipping it', () => {
  expect(() => readPgOutput(Buffer.from('U...'))).toThrow(PgOutputError);
  expect(() => readPgOutput(Buffer.alloc(0))).toThrow(PgOutputError);
  const insert = Buffer.from([0x49, 0, 0, 0, 1, 0x4e, 0, 1, 0x75 /* unchanged */]);
  expect(() => readValues(insert)).toThrow('column kind 117');
});
