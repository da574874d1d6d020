/** One contender in one round, or the medians of its rounds. */
export interface Measurement {
  readonly name: string;
  /** Jobs per second, from the start until all of them are finished. */
  readonly perSecond: number;
  /** What other work used of the processors just before, in percent: above 10 the rates are worth little, ratios somewhat more. */
  readonly busyBefore: number;
  /** Jobs without an outbox row, or not done. */
  readonly lost: number;
  /** Outbox rows beyond the first of a job. */
  readonly twice: number;
}

export const isExact = ({ lost, twice }: Measurement): boolean => lost === 0 && twice === 0;

/** Each contender's median, in the order of their first appearance; faults are added up, so that none hides. */
export const medians = (rounds: readonly Measurement[]): Measurement[] =>
  [...Map.groupBy(rounds, ({ name }) => name).values()].map((of) => ({
    name: of[0]!.name,
    perSecond: median(of.map(({ perSecond }) => perSecond)),
    busyBefore: Math.max(...of.map(({ busyBefore }) => busyBefore)),
    lost: sum(of.map(({ lost }) => lost)),
    twice: sum(of.map(({ twice }) => twice)),
  }));

export interface Ratios {
  /** Our ledger over the faster of graphile-worker, which may fetch ahead, and pg-boss. */
  readonly overFasterPeer?: number;
  /** Our ledger with many finished rows, over the same with none. */
  readonly fullOverEmpty?: number;
  /** The same where no peer takes more jobs than are in hand: what a crash holds back, and what another worker cannot have. */
  readonly overFasterDirect?: number;
  /** Our ledger over pg-boss with 100 jobs in hand. */
  readonly overPgBoss100?: number;
}

export function ratiosOf(results: readonly Measurement[]): Ratios {
  const rate = (name: string) => results.find((result) => result.name === name)?.perSecond;
  const faster = (...names: string[]) => Math.max(0, ...names.flatMap((name) => rate(name) ?? []));
  const ours = rate('ours');
  return {
    overFasterPeer: ratio(ours, faster('graphile-worker', 'pg-boss')),
    overFasterDirect: ratio(ours, faster('graphile-direct', 'pg-boss')),
    fullOverEmpty: ratio(rate('ours-full'), ours),
    overPgBoss100: ratio(ours, rate('pg-boss-100')),
  } as Ratios;
}

const ratio = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || !other ? undefined : Math.round((one / other) * 100) / 100;

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2;
}
