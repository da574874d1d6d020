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
  const types = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { type: PARSER_TYPES[kind] }]));
  // Not the parser's own strictness: its sentences say less than ours, and refuse `--limit -1` without looking at the number.
  const { tokens, positionals } = parseArgs({ args: [...args], options: types, allowPositionals: true, strict: false, tokens: true });
  const given = tokens.filter((token) => token.kind === 'option');
  for (const option of given) check(option, kinds);
  const options = Object.fromEntries(
    [...Map.groupBy(given, ({ name }) => name)].map(([name, same]) => [name, single(name, same)]),
  ) as ParsedLine<Kinds>['options'];
  return { words: positionals, options };
}

const PARSER_TYPES = { text: 'string', switch: 'boolean' } as const;

interface GivenOption {
  readonly name: string;
  /** As it was typed, without its value. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value was typed behind `=`. */
  readonly inlineValue: boolean | undefined;
}

function check({ name, rawName, value, inlineValue }: GivenOption, kinds: OptionKinds): void {
  if (!Object.hasOwn(kinds, name) || rawName !== `--${name}`) {
    throw new UsageError(
      `no option ${rawName}; there are ${
        Object.keys(kinds)
          .map((known) => `--${known}`)
          .join(', ') || 'none'
      }`,
    );
  }
  if (kinds[name] === 'switch' && value !== undefined) throw new UsageError(`--${name} takes no value`);
  if (kinds[name] === 'switch') return;
  if (!value) throw new UsageError(`--${name} has no value`);
  if (!inlineValue && value.startsWith('--')) throw new UsageError(`--${name} has no value: ${value} is the next option`);
}

function single(name: string, given: readonly GivenOption[]): string | true {
  if (given.length > 1) throw new UsageError(`--${name} is given ${given.length} times`);
  return given[0]?.value ?? true;
}
