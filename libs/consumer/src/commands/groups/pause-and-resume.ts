import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import { pauseGroup, resumeGroup } from '../../pauses/pause-group.js';
import { type Pause, readPause } from '../../pauses/read-pause.js';
import type { OperatingContext } from '../operated-group.js';
import { ASKER_OPTIONS, readAsker } from '../read-asker.js';

/** `groups pause`: the group handles nothing until it is resumed, whatever is started again meanwhile. */
export async function pause(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { decision, say } = read(context, 'pause', args);
  const { database, service } = context;
  if (await pauseGroup(database, service.group, decision)) return say('paused', 'paused: its members stop within seconds');
  const earlier = await readPause(database, service.group);
  if (earlier === null) return say('not paused', 'not paused: somebody has resumed it this moment');
  return say('already paused', `paused already, since ${earlier.at.toISOString()} by ${earlier.who}: ${earlier.why}`);
}

/** `groups resume` */
export async function resume(context: OperatingContext, args: readonly string[]): Promise<CommandResult> {
  const { decision, say } = read(context, 'resume', args);
  const resumed = await resumeGroup(context.database, context.service.group, decision);
  return resumed ? say('resumed', 'resumed: its members go on within seconds') : say('not paused', 'not paused: nothing to resume');
}

const WANTED = { pause: 'say what the group has to wait for', resume: 'say why the group may go on' } as const;

function read({ service: { group }, clock }: OperatingContext, verb: 'pause' | 'resume', args: readonly string[]) {
  const { words, options } = readLine(args, { ...ASKER_OPTIONS, json: 'switch' });
  if (words.length > 0) throw new UsageError(`${verb} takes no ${words[0]}`);
  const { now: at, ...asker } = readAsker(options, clock(), WANTED[verb]);
  const decision: Pause = { ...asker, at };
  const say = (result: string, text: string): CommandResult => ({
    lines: [options.json ? JSON.stringify({ group, result, detail: text }) : `${group} is ${text}`],
    ok: true,
  });
  return { decision, say };
}
