import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { Database } from '@shopflow/database';
import { readPause } from '../../pauses/read-pause.js';
import { withAdministration } from '../kafka-connections.js';
import type { OperatingContext } from '../operated-group.js';
import { countHeld } from '../read-held-state.js';
import { type GroupReport, groupsTable } from './group-reports.js';

/** `groups list`: the group at a glance, also while Kafka is away. */
export async function listGroup(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { json: 'switch' });
  if (words.length > 0) throw new UsageError(`list takes no ${words[0]}`);
  const report = await describe(context);
  return { lines: options.json ? [JSON.stringify(report)] : groupsTable([report]), ok: true };
}

async function describe(context: OperatingContext): Promise<GroupReport> {
  const { database, service } = context;
  const { group } = service;
  const [broker, paused, held, openDeadLetters] = await Promise.all([
    askBroker(context),
    readPause(database, group),
    countHeld(database, group),
    countOpenLetters(database, group),
  ]);
  return { group, ...broker, paused, heldKeys: held.keys, heldEvents: held.events, openDeadLetters };
}

async function askBroker(context: OperatingContext): Promise<Pick<GroupReport, 'state' | 'members'>> {
  try {
    return await withAdministration(context, (admin) => admin.describe(context.service.group));
  } catch (error) {
    context.terminal.note(`Kafka does not say how group ${context.service.group} stands: ${(error as Error).message}`);
    return { state: null, members: [] };
  }
}

async function countOpenLetters(database: Database, consumer: string): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM dead_letters WHERE consumer = $1 AND state = 'open'`,
    [consumer],
  );
  return rows[0]!.open;
}
