import type { Fault } from './fault.js';

/** Prints every fault, or `success`; the process then exits with 1 or 0. */
export function report(faults: readonly Fault[], success: string): void {
  for (const { path, rule, message } of faults) process.stderr.write(`${path}: ${rule}: ${message}\n`);
  if (faults.length > 0) process.exitCode = 1;
  else process.stdout.write(`contracts: ${success}\n`);
}
