import type { Static, TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Start-up stops with this: every setting that is missing or wrong, each with its meaning. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** A rule over several settings: answers the fault, or undefined when the rule holds. */
export type CrossRule<Config> = (config: Config) => string | undefined;

/**
 * Reads settings from environment variables: `databaseUrl` from `DATABASE_URL`, and so on.
 *
 * @param schema one property per setting, made with {@link setting}
 * @param rules checked once every setting is right by itself
 * @throws ConfigError naming every fault at once
 */
export function readConfig<S extends TObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
  rules: readonly CrossRule<Static<S>>[] = [],
): Static<S> {
  const config: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = readSetting(property, env[variableName(name)]);
    if (Value.Check(property, value)) config[name] = value;
    else faults.push(faultOf(name, property, env[variableName(name)]));
  }
  if (faults.length === 0) faults.push(...rules.map((rule) => rule(config as Static<S>)).filter((fault) => fault !== undefined));
  if (faults.length > 0) throw new ConfigError(faults);
  return config as Static<S>;
}

const variableName = (setting: string) => setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** An empty variable counts as not set, as a shell or a compose file would mean it. */
function readSetting(property: TSchema, raw: string | undefined): unknown {
  const { type, default: fallback } = property as { type?: string; default?: unknown };
  if (raw === undefined || raw === '') return fallback;
  return type === 'integer' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
}

/** What the makers of {@link setting} write into a schema. */
interface SettingSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

function faultOf(name: string, property: TSchema, raw: string | undefined): string {
  const { description, type, format, pattern, minimum, maximum, enum: choices } = property as SettingSchema;
  const wanted = choices ? `one of ${choices.join(', ')}` : type === 'integer' ? rangeOf(minimum, maximum) : textOf(format, pattern);
  const given = raw === undefined || raw === '' ? 'is not set' : format === 'url' ? HIDDEN : `is ${JSON.stringify(raw)}`;
  return `${variableName(name)} ${given}; wanted: ${wanted} (${description})`;
}

const textOf = (format?: string, pattern?: string) => (format === 'url' ? 'a URL' : pattern ? `text that matches ${pattern}` : 'text');

const rangeOf = (minimum?: number, maximum?: number) =>
  `a whole number${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`;

/** Any part of a malformed URL may be its password. */
const HIDDEN = 'is no URL (its value may hold a password and is not shown)';
