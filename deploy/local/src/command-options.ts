import { parseArgs } from 'node:util';

/** The command line has something that the command does not know. */
export class UsageError extends Error {
  constructor(command: string, names: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
    super(`${reason}; usage: ${command} -- ${names.map((name) => `[--${name}]`).join(' ')}`);
    this.name = 'UsageError';
  }
}

/** Which of the named switches the command line has. @throws UsageError for anything else: a misspelt switch must not be ignored */
export function readOptions<const Name extends string>(
  command: string,
  names: readonly Name[],
  args = process.argv.slice(2),
): Record<Name, boolean> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const, default: false }]));
  try {
    return parseArgs({ args, options }).values as Record<Name, boolean>;
  } catch (cause) {
    throw new UsageError(command, names, cause);
  }
}
