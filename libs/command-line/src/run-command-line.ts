import { standardTerminal, type Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** How a command ended. */
export interface CommandResult {
  /** Printed last: to standard output, or to standard error when it failed. */
  readonly lines: readonly string[];
  readonly ok: boolean;
}

const FAILED = 1;
const NOT_UNDERSTOOD = 2;

/**
 * Runs a command on this process's command line and sets the exit code: 0 done, 1 failed, 2 not understood. Whatever it throws is one
 * line for a person, with no stack.
 */
export async function runCommandLine(
  name: string,
  command: (args: readonly string[], terminal: Terminal) => Promise<CommandResult>,
): Promise<void> {
  endWithReader();
  try {
    const { lines, ok } = await command(process.argv.slice(2), standardTerminal);
    for (const line of lines) await (ok ? standardTerminal.print(line) : standardTerminal.note(line));
    if (!ok) process.exitCode = FAILED;
  } catch (error) {
    standardTerminal.note(`${name}: ${reasonOf(error)}`);
    process.exitCode = error instanceof UsageError ? NOT_UNDERSTOOD : FAILED;
  }
}

/** `… | head` reads no further: that is no failure, and nobody is left to write to. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** A refused connection to several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
