import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Validates payloads of one version against its schema. Compiled once, when the contract module loads. */
export interface PayloadReader<Payload> {
  /** True for a payload that has every field as the schema wants it. Unknown fields do not matter. */
  check(value: unknown): value is Payload;
  /** A copy with the known fields alone: consumers never see what the contract does not promise. */
  keepKnownFields(payload: Payload): Payload;
  /** Dotted paths of the fields that are missing or wrong, in the order of the schema. Empty for a good payload. */
  invalidFields(value: unknown): string[];
  /** Dotted paths of fields that the schema does not know: a producer may not send them. */
  unknownFields(value: unknown): string[];
}

export function compilePayload<S extends TObject>(schema: S): PayloadReader<Static<S>> {
  const compiled = Compile(schema);
  return {
    check: (value): value is Static<S> => compiled.Check(value),
    keepKnownFields: copier(schema) as (payload: Static<S>) => Static<S>,
    invalidFields: (value) => (compiled.Check(value) ? [] : invalidLeaves(schema, value, '')),
    unknownFields: (value) => unknownLeaves(schema, value, ''),
  };
}

const propertiesOf = (schema: TSchema) => Object.entries((schema as TObject).properties ?? {}) as [string, TSchema][];
const isObjectSchema = (schema: TSchema) => (schema as { type?: string }).type === 'object';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function copier(schema: TSchema): (value: unknown) => unknown {
  if (!isObjectSchema(schema)) return (value) => value;
  const fields = propertiesOf(schema).map(([name, field]) => [name, copier(field)] as const);
  return (value) => {
    const known: Record<string, unknown> = {};
    for (const [name, copy] of fields) {
      const field = (value as Record<string, unknown>)[name];
      if (field !== undefined) known[name] = copy(field);
    }
    return known;
  };
}

/** A missing object is reported by its leaves (`customer.email`, not `customer`): that is the field somebody has to fill in. */
function invalidLeaves(schema: TSchema, value: unknown, path: string): string[] {
  if (!isObjectSchema(schema)) return Compile(schema).Check(value) ? [] : [path];
  const required = new Set((schema as TObject).required);
  return propertiesOf(schema).flatMap(([name, field]) => {
    const inner = isRecord(value) ? value[name] : undefined;
    if (inner === undefined && isRecord(value) && !required.has(name)) return [];
    return invalidLeaves(field, inner, path === '' ? name : `${path}.${name}`);
  });
}

function unknownLeaves(schema: TSchema, value: unknown, path: string): string[] {
  if (!isObjectSchema(schema) || !isRecord(value)) return [];
  const fields = new Map(propertiesOf(schema));
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.get(name);
    const here = path === '' ? name : `${path}.${name}`;
    return field === undefined ? [here] : unknownLeaves(field, inner, here);
  });
}
