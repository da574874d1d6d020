import { type CommandResult, type Terminal, UsageError } from '@shopflow/command-line';
import { type OperatingConfig, readOperatingConfig } from '../operating-config.js';
import type { RelayCommand } from './operating-context.js';
import { usageOf } from './usage.js';

/** Each is read when it is asked for, so that none makes the others slow to start. */
const COMMANDS: Readonly<Record<string, () => Promise<RelayCommand>>> = {
  status: async () => (await import('./status.js')).runStatusCommand,
  adopt: async () => (await import('./adopt.js')).runAdoptCommand,
  aside: async () => (await import('./aside.js')).runAsideCommand,
};

/** @throws UsageError when there is no such command, before anything is read or connected */
export async function runRelayCommand(
  [verb = '', ...args]: readonly string[],
  terminal: Terminal,
  config: () => OperatingConfig = readOperatingConfig,
): Promise<CommandResult> {
  if ([verb, ...args].includes('--help')) return { lines: usageOf(verb), ok: true };
  const load = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  if (load === undefined) throw new UsageError(`no command ${JSON.stringify(verb)}: one of ${Object.keys(COMMANDS).join(', ')} (--help)`);
  const command = await load();
  return command({ ...config(), terminal, clock: () => new Date() }, args);
}
