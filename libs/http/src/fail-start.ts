import type { Logger } from '@shopflow/telemetry';
import { explainStartUpFault } from './start-up-fault.js';

/** Ends the process with exit code 1: one line for whoever started it, and in the log, with the stack where it is a defect. */
export function failStart(error: unknown, what: string, logger: Logger): never {
  const explained = explainStartUpFault(error);
  const reason = explained ?? (error instanceof Error ? error.message : String(error));
  logger.fatal(explained === undefined ? { err: error } : {}, `${what} did not start: ${reason}`);
  process.stderr.write(`${what} did not start: ${reason}\n`);
  process.exit(1);
}
