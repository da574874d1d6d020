import type { CommandResult, Terminal } from '@shopflow/command-line';
import type { OperatingConfig } from '../operating-config.js';

/** What every command gets beside its own arguments. */
export interface OperatingContext extends OperatingConfig {
  readonly terminal: Terminal;
  readonly clock: () => Date;
}

/** `args` is what stands behind the verb. @throws UsageError; any other error is one line for whoever typed it */
export type RelayCommand = (context: OperatingContext, args: readonly string[]) => Promise<CommandResult>;
