import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Validates payloads of one version against its schema. Compiled once, when the contract module loads. */
export interface PayloadReader<Payload> {
  /** True for a payload that has every field as the schema wants it. Unknown fields do not matter. */
  check(value: unknown): value is Payload;
  /** The known fields alone, in a copy where there are others: consumers never see what the contract does not promise. */
  keepKnownFields(payload: Payload): Payload;
  /** Dotted paths of the fields that are missing or wrong, in the order of the schema. Empty for a good payload. */
  invalidFields(value: unknown): string[];
  /** Dotted paths of fields that the schema does not know: a producer may not send them. */
  unknownFields(value: unknown): string[];
}

export function compilePayload<S extends TObject>(schema: S): PayloadReader<Static<S>> {
  const compiled = Compile(schema);
  const knowsAll = knowledgeOf(schema);
  const copy = copier(schema);
  // A field needs a validator of its own only to be named in a refusal: compiled at the first one, kept for the next.
  let findInvalid: FieldFinder | undefined;
  return {
    check: (value): value is Static<S> => compiled.Check(value),
    keepKnownFields: (payload) => (knowsAll(payload) ? payload : (copy(payload) as Static<S>)),
    invalidFields: (value) => (compiled.Check(value) ? [] : (findInvalid ??= invalidFieldFinder(schema, ''))(value)),
    unknownFields: (value) => unknownLeaves(schema, value, ''),
  };
}

const propertiesOf = (schema: TSchema) => Object.entries<TSchema>((schema as TObject).properties ?? {});
const isObjectSchema = (schema: TSchema) => (schema as { type?: string }).type === 'object';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Whether there is nothing to leave out, which is so for nearly every payload: looking costs a third of copying. */
function knowledgeOf(schema: TSchema): (value: unknown) => boolean {
  if (!isObjectSchema(schema)) return () => true;
  const fields = new Map(propertiesOf(schema).map(([name, field]) => [name, knowledgeOf(field)]));
  return (value) => {
    for (const name in value as object) {
      const field = (value as Record<string, unknown>)[name];
      if (field === undefined || fields.get(name)?.(field) !== true) return false;
    }
    return true;
  };
}

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

type FieldFinder = (value: unknown) => string[];

/** A missing object is reported by its leaves (`customer.email`, not `customer`): that is the field somebody has to fill in. */
function invalidFieldFinder(schema: TSchema, path: string): FieldFinder {
  if (!isObjectSchema(schema)) {
    const leaf = Compile(schema);
    return (value) => (leaf.Check(value) ? [] : [path]);
  }
  const required = new Set((schema as TObject).required);
  const fields = propertiesOf(schema).map(([name, field]) => ({ name, find: invalidFieldFinder(field, join(path, name)) }));
  return (value) => {
    if (!isRecord(value)) return fields.flatMap(({ find }) => find(undefined));
    return fields.flatMap(({ name, find }) => (value[name] === undefined && !required.has(name) ? [] : find(value[name])));
  };
}

function unknownLeaves(schema: TSchema, value: unknown, path: string): string[] {
  if (!isObjectSchema(schema) || !isRecord(value)) return [];
  const fields = new Map(propertiesOf(schema));
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.get(name);
    return field === undefined ? [join(path, name)] : unknownLeaves(field, inner, join(path, name));
  });
}
