import type { TSchema } from 'typebox';

interface Keywords {
  readonly wanted?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/**
 * What a field wants, to be read after "must be": `a whole number from 1 to 100`. A schema can say it itself where its
 * keywords do not read well: `Type.String({ pattern: '…', wanted: 'an e-mail address' })`.
 */
export function expectationOf(schema: TSchema): string {
  const keywords = schema as Keywords;
  if (keywords.wanted !== undefined) return keywords.wanted;
  if ('const' in keywords) return JSON.stringify(keywords.const);
  if (keywords.enum) return `one of ${keywords.enum.map((choice) => JSON.stringify(choice)).join(', ')}`;
  if (keywords.anyOf) return keywords.anyOf.map(expectationOf).join(' or ');
  if (keywords.type === 'string') return textExpectation(keywords);
  if (keywords.type === 'integer') return `a whole number${range(keywords.minimum, keywords.maximum, '')}`;
  if (keywords.type === 'number') return `a number${range(keywords.minimum, keywords.maximum, '')}`;
  return OTHER[keywords.type ?? ''] ?? 'valid';
}

const OTHER: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  array: 'a list of the right things',
  object: 'an object',
};

function textExpectation({ minLength, maxLength, pattern }: Keywords): string {
  const matching = pattern === undefined ? '' : ` that matches ${pattern}`;
  return `text${range(minLength, maxLength, ' characters')}${matching}`;
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from === undefined && to === undefined) return '';
  if (from === undefined) return ` of at most ${to}${unit}`;
  if (to === undefined) return ` of at least ${from}${unit}`;
  return ` from ${from} to ${to}${unit}`;
}
