import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { OperatingContext } from './relay-command.js';
import { sourceNamed } from './source-pool.js';

const OPTIONS = { source: 'text', url: 'text', json: 'switch' } as const;

/** `relay status`: each source as its database and the relays see it. Fails when something needs a person. */
export async function runStatusCommand(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  if (words.length > 0) throw new UsageError(`status takes no ${words[0]}`);
  const sources = options.source === undefined ? context.sources : [sourceNamed(context.sources, options.source)];
  return { lines: sources.map(({ name }) => name), ok: true };
}
