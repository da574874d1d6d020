import { type CommandResult, readLine, table, UsageError } from '@shopflow/command-line';
import { withAdministration } from '../kafka-connections.js';
import type { OperatingContext } from '../operated-group.js';
import { ASKER_OPTIONS, readAsker } from '../read-asker.js';
import { clearGroup } from './clear-group.js';
import { planRebuild, type RebuildPlan, type TopicStart } from './rebuild-plan.js';

/**
 * `groups rebuild`: makes a group's projections anew from the events that Kafka still has. Says what it would do; does it with `--yes`.
 */
export async function rebuildGroup(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { ...ASKER_OPTIONS, yes: 'switch', json: 'switch' });
  if (words.length > 0) throw new UsageError(`rebuild takes no ${words[0]}`);
  const asker = options.yes ? readAsker(options, context.clock(), 'say what was wrong with the projection') : undefined;
  const { rebuild, group } = context.service;
  if ('refused' in rebuild) return { lines: [`group ${group} cannot be rebuilt: ${rebuild.refused}`], ok: false };
  const running = await membersOf(context);
  if (running.length > 0) return { lines: [`group ${group} has members (${running.join(', ')}): stop them first`], ok: false };
  const plan = await planRebuild(context, rebuild.tables);
  if (asker === undefined) return { lines: options.json ? [JSON.stringify({ ...plan, done: false })] : preview(plan), ok: true };
  await clearGroup(context.database, group, rebuild.tables, asker);
  await forgetOffsets(context);
  const done = `${group} is cleared: its members read everything again when they start`;
  return { lines: options.json ? [JSON.stringify({ ...plan, done: true })] : [...inWords(plan, 'cleared'), done], ok: true };
}

/** A group that runs would go on from what it has in memory, half of it in the old projection and half in the new. */
async function membersOf(context: OperatingContext): Promise<string[]> {
  const { group } = context.service;
  return withAdministration(context, async (admin) => {
    const described = await Promise.all([admin.describe(group), admin.describe(`${group}.retry`)]);
    const members = described.flatMap((description) => description.members.map(({ clientId, host }) => `${clientId} at ${host}`));
    const busy = described.find(({ state }) => state !== 'Empty' && state !== 'Dead');
    return members.length === 0 && busy !== undefined ? [`its state is ${busy.state}`] : members;
  });
}

/**
 * Comes after the commit, and a crash in between does no harm: members start from the lower of what Kafka and the database say, and the
 * database says 0. So it is only told, not thrown, when Kafka refuses. The retry group keeps its offsets: its records are wake-ups of
 * what is no longer held.
 */
async function forgetOffsets(context: OperatingContext): Promise<void> {
  const { group } = context.service;
  try {
    await withAdministration(context, (admin) => admin.forget(group));
  } catch (error) {
    const reason = (error as Error).message;
    context.terminal.note(`Kafka keeps the group's offsets (${reason}): no harm, its members start from the database's, and say so`);
  }
}

const preview = (plan: RebuildPlan): string[] => [
  ...inWords(plan, 'would be cleared'),
  `nothing was changed; add --yes --why '…' to do it`,
];

function inWords({ cleared, discardedDeadLetters, topics }: RebuildPlan, heading: string): string[] {
  const rows = Object.entries(cleared).map(([name, count]) => [name, count]);
  return [
    ...table([heading, 'rows'], [...rows, ['open dead letters (as discarded: their events come again)', discardedDeadLetters]]),
    ...topics.map(sayStart),
  ];
}

function sayStart({ topic, since, incomplete }: TopicStart): string {
  if (since === null) return `${topic} is empty: nothing comes again`;
  if (!incomplete) return `${topic} comes again from its first event, of ${since.toISOString()}`;
  return `WARNING: ${topic} has all its events from ${since.toISOString()} on only; what was made of older ones is lost`;
}
