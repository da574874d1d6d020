import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly json: boolean;
  readonly help: boolean;
  readonly rows: number;
  readonly rounds: number;
  readonly latencySeconds: number;
  /** Names of contenders; all of them when it is empty. */
  readonly only: readonly string[];
  /** Instead: the relay with so many published rows in its table. */
  readonly published: number | undefined;
}

/** @throws Error naming the option that is wrong */
export function readOptions(args: readonly string[], contenders: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    json: flag,
    help: flag,
    rows: text,
    rounds: text,
    latency: text,
    published: text,
    only: { ...text, multiple: true as const },
  };
  const { values } = parseArgs({ args: [...args], options });
  const { only = [], published, json, help } = values;
  for (const name of only)
    if (!contenders.includes(name)) throw new Error(`--only ${name} is no contender: one of ${contenders.join(', ')}`);
  return {
    json,
    help,
    only,
    rows: whole('rows', values.rows ?? '200000', 1_000),
    rounds: whole('rounds', values.rounds ?? '2', 1),
    latencySeconds: whole('latency', values.latency ?? '30', 0),
    published: published === undefined ? undefined : whole('published', published, 1),
  };
}

function whole(name: string, given: string, least: number): number {
  const number = Number(given);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`--${name} ${given} is no whole number from ${least} on`);
}
