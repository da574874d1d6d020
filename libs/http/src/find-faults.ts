import { isStorable } from '@shopflow/database';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expectationOf } from './expectation.js';
import type { FieldFault } from './problem.js';

/** Names every field that is missing, wrong, unknown or cannot be stored; none for a good value. */
export type FaultFinder = (value: unknown) => FieldFault[];

type Look = (value: unknown, path: string, faults: FieldFault[]) => void;

/** Compiles the schema once; objects are closed, whatever they say about additional properties. */
export function compileFaultFinder(schema: TObject): FaultFinder {
  const look = lookAtObject(schema);
  return (value) => {
    const faults: FieldFault[] = [];
    look(value, '', faults);
    return faults;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjectSchema = (schema: TSchema): schema is TObject => (schema as { type?: unknown }).type === 'object';
const under = (path: string, name: string) => (path === '' ? visible(name) : `${path}.${visible(name)}`);

/** Control characters in a name, NUL among them, as JSON would write them. */
const visible = (name: string) => JSON.stringify(name).slice(1, -1);

function lookAtObject(schema: TObject): Look {
  const required = new Set<string>(schema.required ?? []);
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, field]) => [name, isObjectSchema(field) ? lookAtObject(field) : lookAtLeaf(field), required.has(name)] as const,
  );
  return (value, path, faults) => {
    if (value !== undefined && !isRecord(value))
      return void faults.push({ field: path === '' ? 'body' : path, message: 'must be an object' });
    const given = value ?? {};
    for (const [name, look, isRequired] of fields) {
      const inner = Object.hasOwn(given, name) ? given[name] : undefined;
      if (inner !== undefined || isRequired) look(inner, under(path, name), faults);
    }
    const known = new Set(fields.map(([name]) => name));
    for (const name of Object.keys(given)) if (!known.has(name)) faults.push({ field: under(path, name), message: 'is not a known field' });
  };
}

function lookAtLeaf(schema: TSchema): Look {
  const compiled = Compile(schema);
  const expected = expectationOf(schema);
  return (value, field, faults) => {
    if (value === undefined) faults.push({ field, message: `is required: ${expected}` });
    else if (typeof value === 'string' && !isStorable(value)) faults.push({ field, message: UNSTORABLE });
    else if (!compiled.Check(value)) faults.push({ field, message: `must be ${expected}` });
    else if (!isStorableWithin(value)) faults.push({ field, message: UNSTORABLE });
  };
}

const UNSTORABLE = 'contains a NUL character or half a surrogate pair, which PostgreSQL cannot store';

/** PostgreSQL fails both characters (22P05, 22P02) long after the caller could be told which field it was. */
function isStorableWithin(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorableWithin(inner));
}
