import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from './sql.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase([{ name: 'CreateWritten1764460800001', up: 'CREATE TABLE written (n int, text text)' }]);
});
afterAll(() => test.drop());

/** What the server understands of an array, as text. */
async function read(type: string, values: readonly unknown[]): Promise<unknown[]> {
  const { rows } = await test.database.inTransaction((tx) =>
    sql<{ value: string }>(tx, `SELECT value::text AS value FROM unnest($1::${type}[]) WITH ORDINALITY AS given (value, n) ORDER BY n`, [
      values,
    ]),
  );
  return rows.map(({ value }) => value);
}

it.each([
  ['plain', ['a', 'b']],
  ['what means something in an array', ['', 'NULL', 'null', '{', '}', ',', ' a ', '"', '\\', '\\"', 'a,b', '{"a":"\\\\"}']],
  ['beyond ASCII', ['ä', '😀', '\u2028', '\u007f', '\u00a0']],
  ['with control characters', ['\n', '\t', '\u0001', 'a\\nb', '\r\n']],
  ['none', []],
])('texts come to the server as they are: %s', async (_, texts) => {
  expect(await read('text', texts)).toEqual(texts);
});

it('writes nulls, numbers, booleans, JSON, bytes, dates and arrays in arrays as node-postgres does', async () => {
  expect(await read('text', ['a', null, undefined])).toEqual(['a', null, null]);
  expect(await read('float8', [1, -2.5, NaN, Infinity])).toEqual(['1', '-2.5', 'NaN', 'Infinity']);
  expect(await read('bigint', [12345678901234567890n % 1_000_000_000_000_000_000n])).toEqual(['345678901234567890']);
  expect(await read('boolean', [true, false])).toEqual(['true', 'false']);
  expect(await read('jsonb', [{ a: 'x"\\\n😀' }, { b: [1] }])).toEqual(['{"a": "x\\"\\\\\\n😀"}', '{"b": [1]}']);
  expect(await read('bytea', [Buffer.from('ab')])).toEqual(['\\x6162']);
  expect(await read('timestamptz', [new Date('2026-10-05T08:00:00.123Z')])).toEqual(['2026-10-05 08:00:00.123+00']);
  expect(
    await read('int', [
      [1, 2],
      [3, 4],
    ]),
  ).toEqual(['1', '2', '3', '4']);
});

it('goes on after a prepared statement has failed, and after a migration', async () => {
  const insert = (n: unknown) => test.database.inTransaction((tx) => sql(tx, 'INSERT INTO written VALUES ($1, $2)', [n, 'x']));
  for (let n = 0; n < 10; n++) await insert(n);
  await expect(insert('no number')).rejects.toThrow('invalid input syntax');
  await test.database.query('ALTER TABLE written ADD more int');
  await insert(10);
  const { rows } = await test.database.query<{ count: number }>('SELECT count(*)::int AS count FROM written');
  expect(rows).toEqual([{ count: 11 }]);
});
