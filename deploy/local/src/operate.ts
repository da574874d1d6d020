// `npm run dlq -- …` and `npm run groups -- …`: finds the service of a group, and has its own command do the work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { kafkaSettings, readConfig } from '@shopflow/config';
import { type CommandResult, readLine, runCommandLine, UsageError } from '@shopflow/command-line';
import { type GroupReport, groupsTable, type LagReport, lagTable } from '@shopflow/consumer/group-reports';
import { usageOf } from '@shopflow/consumer/usage';
import { shopflowHome } from '@shopflow/servers';
import Type from 'typebox';
import { environmentOf, type Group, type Operation, readOperation, type Whereabouts } from './operated-groups.js';
import { readRunning, servingNamespaces } from './running-system.js';
import { operateScript } from './services.js';

const [tool = ''] = process.argv.slice(2);
await runCommandLine(tool, dispatch);

async function dispatch(args: readonly string[]): Promise<CommandResult> {
  if (args.includes('--help')) return { lines: usageOf(tool), ok: true };
  const operation = readOperation(args);
  const { shopflowNamespace: namespace } = readConfig(Type.Object({ shopflowNamespace: kafkaSettings.shopflowNamespace }));
  const home = shopflowHome();
  const whereabouts = { namespace, running: readRunning(join(home, namespace)), serving: servingNamespaces(home), env: process.env };
  if (operation.groups.length > 1) return askAll(operation, whereabouts);
  const { code } = await run(operation.groups[0]!, operation.args, whereabouts, 'inherit');
  process.exitCode = code;
  return { lines: [], ok: true };
}

/** One table of all groups. One that does not answer says why, and the others are shown. */
async function askAll({ groups, args }: Operation, whereabouts: Whereabouts): Promise<CommandResult> {
  const [, verb, ...rest] = args;
  const { words, options } = readLine(rest, { json: 'switch' });
  if (words.length > 0) throw new UsageError(`${verb} takes no ${words[0]}`);
  if (whereabouts.env['DATABASE_URL']) throw new UsageError(`DATABASE_URL names one group's database: say with --group which`);
  const answers = await Promise.all(groups.map((group) => run(group, [tool, verb!, '--json'], whereabouts, 'pipe')));
  process.exitCode = Math.max(...answers.map(({ code }) => code));
  const lines = answers.flatMap(({ output }) => output.split('\n').filter((line) => line !== ''));
  if (options.json) return { lines, ok: true };
  const reports = lines.map((line) => JSON.parse(line) as unknown);
  return { lines: verb === 'lag' ? lagTable(reports as LagReport[]) : groupsTable(reports as GroupReport[]), ok: true };
}

async function run(group: Group, args: readonly string[], whereabouts: Whereabouts, stdout: 'inherit' | 'pipe') {
  const env = environmentOf(group, whereabouts);
  const child = spawn(process.execPath, [operateScript(group), ...args], { env, stdio: ['inherit', stdout, 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const output = child.stdout ? await text(child.stdout) : '';
  const [code] = await closed;
  return { code: code ?? 1, output };
}
