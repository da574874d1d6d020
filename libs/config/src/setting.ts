import Type, { type TSchemaOptions } from 'typebox';

// A setting is a JSON Schema with its default and its meaning: the one place that says what a service can be told.

type Options = { default?: unknown; meaning: string };
const describe = ({ meaning, ...rest }: Options): TSchemaOptions => ({ ...rest, description: meaning });

export const setting = {
  text: (options: { default?: string; meaning: string }) => Type.String({ minLength: 1, ...describe(options) }),
  /** An absolute URL, e.g. of a database or of another company's service. */
  url: (options: { default?: string; meaning: string }) =>
    Type.String({ format: 'url', minLength: 1, pattern: '^[a-z]+://', ...describe(options) }),
  /** A comma-separated list of host:port. */
  brokers: (options: { default?: string; meaning: string }) =>
    Type.String({ pattern: '^[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*$', ...describe(options) }),
  /** Prefix of databases, topics, groups and slots: what all of them accept in a name. */
  namespace: (options: { default?: string; meaning: string }) => Type.String({ pattern: '^[a-z][a-z0-9-]{0,29}$', ...describe(options) }),
  port: (options: { default?: number; meaning: string }) => Type.Integer({ minimum: 0, maximum: 65_535, ...describe(options) }),
  /** A whole number; `minimum` is 0 unless given. */
  count: (options: { default?: number; minimum?: number; maximum?: number; meaning: string }) =>
    Type.Integer({ minimum: 0, ...describe(options) }),
  /** A duration in milliseconds. */
  milliseconds: (options: { default?: number; minimum?: number; maximum?: number; meaning: string }) =>
    Type.Integer({ minimum: 0, ...describe(options) }),
  choice: <const T extends string>(values: readonly T[], options: { default?: T; meaning: string }) =>
    Type.Enum([...values] as T[], describe(options)),
};
