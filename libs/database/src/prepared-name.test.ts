import { expect, it } from 'vitest';
import { preparedName } from './prepared-name.js';

const nameAfterUses = (text: string, uses: number): string | undefined => {
  for (let use = 0; use < uses; use++) preparedName(text);
  return preparedName(text);
};

it('names a statement that comes again and again, and always alike', () => {
  expect(nameAfterUses('INSERT INTO seldom VALUES ($1)', 4)).toBeUndefined();
  const name = nameAfterUses('INSERT INTO often VALUES ($1)', 5);
  expect(name).toBeDefined();
  expect(preparedName('INSERT INTO often VALUES ($1)')).toBe(name);
  expect(nameAfterUses('UPDATE often SET a = $1', 5)).not.toBe(name);
});

it.each(['SELECT 1', 'WITH a AS (SELECT 1) DELETE FROM t', 'INSERT INTO t\nVALUES ($1)\nreturning *'])(
  'never names %j, whose rows a migration may change',
  (text) => expect(nameAfterUses(text, 20)).toBeUndefined(),
);

it('stops before a connection holds too many', () => {
  const named = Array.from({ length: 150 }, (_, number) => nameAfterUses(`DELETE FROM t${number}`, 5)).filter((name) => name !== undefined);
  expect(named.length).toBeLessThanOrEqual(100);
});
