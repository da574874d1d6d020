import { type CommandResult, UsageError } from '@shopflow/command-line';
import type { AsideContext } from './aside-context.js';
import { decideAside } from './aside-decide.js';
import { listAside } from './aside-list.js';

/** `relay aside`: the events that Kafka refuses, each alone, and those that wait behind them. */
export async function runAsideCommand(context: AsideContext, [verb = '', ...args]: readonly string[]): Promise<CommandResult> {
  if (verb === 'list') return listAside(context, args);
  if (verb === 'retry' || verb === 'discard') return decideAside(context, verb, args);
  throw new UsageError(`no command aside ${JSON.stringify(verb)}: one of list, retry, discard (--help)`);
}
