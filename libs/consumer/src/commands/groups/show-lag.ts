import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { OperatingContext } from '../operated-group.js';
import { lagTable } from './group-reports.js';
import { measureLag } from './measure-lag.js';

/** `groups lag`: how far the group is behind, in records and in seconds. */
export async function showLag(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { json: 'switch' });
  if (words.length > 0) throw new UsageError(`lag takes no ${words[0]}`);
  const report = await measureLag(context);
  return { lines: options.json ? [JSON.stringify(report)] : lagTable([report]), ok: true };
}
