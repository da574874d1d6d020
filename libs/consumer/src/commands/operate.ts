import { type CommandResult, runCommandLine, type Terminal, UsageError } from '@shopflow/command-line';
import { Database } from '@shopflow/database';
import { decideLetters } from './dlq/decide-letters.js';
import { exportLetters } from './dlq/export-letters.js';
import { listLetters } from './dlq/list-letters.js';
import { showLetter } from './dlq/show-letter.js';
import { listGroup } from './groups/list-group.js';
import { pause, resume } from './groups/pause-and-resume.js';
import { rebuildGroup } from './groups/rebuild-group.js';
import { showLag } from './groups/show-lag.js';
import { usageOf } from './usage.js';
import type { OperatedGroup, OperatingContext } from './operated-group.js';

type Command = (context: OperatingContext, args: readonly string[]) => Promise<CommandResult>;

const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  dlq: {
    list: listLetters,
    show: showLetter,
    replay: (context, args) => decideLetters(context, 'replay', args),
    discard: (context, args) => decideLetters(context, 'discard', args),
    export: exportLetters,
  },
  groups: { list: listGroup, lag: showLag, pause, resume, rebuild: rebuildGroup },
};

/** What an operator does with one consumer group, from this process's command line: `dlq list`, `groups pause`, … */
export const operate = (service: OperatedGroup): Promise<void> =>
  runCommandLine(process.argv[2] ?? service.group, (args, terminal) => runOperation(service, args, terminal));

/** @throws UsageError when there is no such command, before anything is connected */
export async function runOperation(
  service: OperatedGroup,
  [tool = '', verb = '', ...args]: readonly string[],
  terminal: Terminal,
): Promise<CommandResult> {
  if ([tool, verb, ...args].includes('--help')) return { lines: usageOf(tool), ok: true };
  const command = findCommand(tool, verb);
  const { databaseUrl, kafkaBrokers, shopflowNamespace } = service.config();
  const database = await new Database({ url: databaseUrl, applicationName: `${service.group}-${tool}`, poolSize: 2 }).connect();
  try {
    const kafka = { brokers: kafkaBrokers, namespace: shopflowNamespace };
    return await command({ service, database, kafka, terminal, clock: () => new Date() }, args);
  } finally {
    await database.close();
  }
}

function findCommand(tool: string, verb: string): Command {
  const verbs = Object.hasOwn(COMMANDS, tool) ? COMMANDS[tool] : undefined;
  if (verbs === undefined) throw new UsageError(`no command ${JSON.stringify(tool)}: one of ${Object.keys(COMMANDS).join(', ')}`);
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (command !== undefined) return command;
  throw new UsageError(`${tool} does not know ${JSON.stringify(verb)}: one of ${Object.keys(verbs).join(', ')}`);
}
