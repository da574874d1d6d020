import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

/** Which options a command knows: those with a value and those that are given or not. */
export type OptionKinds = Readonly<Record<string, 'text' | 'switch'>>;

export interface ParsedLine<Kinds extends OptionKinds> {
  /** What is no option, in its order. */
  readonly words: readonly string[];
  readonly options: { readonly [Name in keyof Kinds]?: Kinds[Name] extends 'switch' ? true : string };
}

/**
 * Reads a command line. An option may be given once, and its value is not empty.
 *
 * @throws UsageError for anything else: a misspelt option must not be ignored
 */
export function readLine<const Kinds extends OptionKinds>(args: readonly string[], kinds: Kinds): ParsedLine<Kinds> {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, { type: PARSER_TYPES[kind], multiple: true as const }]),
  );
  const { values, positionals } = parse(args, options);
  return { words: positionals, options: Object.fromEntries(Object.entries(values).map(single)) as ParsedLine<Kinds>['options'] };
}

const PARSER_TYPES = { text: 'string', switch: 'boolean' } as const;

function parse(args: readonly string[], options: Record<string, { type: 'string' | 'boolean'; multiple: true }>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    // The parser's advice ("To specify an option argument starting with a dash …") is a page of its own.
    throw new UsageError((cause as Error).message.split(/[.\n]/)[0]!, { cause });
  }
}

function single([name, given]: [string, unknown]): [string, unknown] {
  const values = given as readonly unknown[];
  if (values.length > 1) throw new UsageError(`--${name} is given ${values.length} times`);
  if (values[0] === '') throw new UsageError(`--${name} has no value`);
  return [name, values[0]];
}
