import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly json: boolean;
  readonly help: boolean;
  /** Queued before the clock starts. */
  readonly jobs: number;
  readonly rounds: number;
  /** Jobs in hand at once. */
  readonly concurrency: number;
  /** Finished rows in the full ledger. */
  readonly finished: number;
  /** Names of contenders; all of them when it is empty. */
  readonly only: readonly string[];
}

/** @throws Error naming the option that is wrong */
export function readOptions(args: readonly string[], contenders: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const numbers = { jobs: text, rounds: text, concurrency: text, finished: text };
  const { values } = parseArgs({ args: [...args], options: { json: flag, help: flag, only: { ...text, multiple: true }, ...numbers } });
  const { only = [], json, help } = values;
  for (const name of only)
    if (!contenders.includes(name)) throw new Error(`--only ${name} is no contender: one of ${contenders.join(', ')}`);
  return {
    json,
    help,
    only,
    jobs: whole('jobs', values.jobs ?? '20000', 100),
    rounds: whole('rounds', values.rounds ?? '2', 1),
    concurrency: whole('concurrency', values.concurrency ?? '5', 1),
    finished: whole('finished', values.finished ?? '1000000', 1),
  };
}

function whole(name: string, given: string, least: number): number {
  const number = Number(given);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`--${name} ${given} is no whole number from ${least} on`);
}
