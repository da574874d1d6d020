import { type CommandResult, readLine, readTime, UsageError } from '@shopflow/command-line';
import type { Database } from '@shopflow/database';
import { buildReminders } from './build-reminders.js';
import { dayOf } from './scheduling/schedule.js';

const USAGE = 'run --due <time at which the run is or was due, such as 2026-10-05T08:00:00Z>';

/** What an operator can do from a terminal. `args` is the command line after the program. @throws UsageError */
export async function runCommand(database: Database, args: readonly string[]): Promise<CommandResult> {
  const { words, options } = readLine(args, { due: 'text' });
  const [command, ...more] = words;
  if (command !== 'run' || more.length > 0 || options.due === undefined) throw new UsageError(`wanted: ${USAGE}`);
  return run(database, readTime('due', options.due, new Date()));
}

/** A second time raises nothing but what became overdue, or known, since. */
async function run(database: Database, dueAt: Date): Promise<CommandResult> {
  const { raised } = await buildReminders(database).again(dueAt);
  return { lines: [`${dayOf(dueAt)}: ${raised} ${raised === 1 ? 'reminder' : 'reminders'} raised`], ok: true };
}
