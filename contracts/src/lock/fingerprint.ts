import { createHash } from 'node:crypto';

/** Keywords whose value maps names that we chose to schemas: a field may well be called `description`. */
const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', '$defs']);
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/** Same for two schemas that accept the same payloads by the same words; meaning for people is not compared. */
export const schemaFingerprint = (schema: object): string => fingerprint(JSON.stringify(comparable(schema)));

export const fingerprint = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

function comparable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(comparable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const keywords = Object.entries(schema).filter(([keyword]) => keyword !== 'description');
  return sorted(keywords.map(([keyword, value]) => [keyword, comparableValue(keyword, value)]));
}

function comparableValue(keyword: string, value: unknown): unknown {
  if (keyword === 'required' || keyword === 'enum') return [...(value as string[])].sort((a, b) => (a < b ? -1 : 1));
  if (DATA.has(keyword)) return value;
  if (NAMED_SCHEMAS.has(keyword)) return sorted(Object.entries(value as object).map(([name, schema]) => [name, comparable(schema)]));
  return comparable(value);
}

const sorted = (entries: [string, unknown][]) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
