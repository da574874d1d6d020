import type { Faults } from './verification.js';

/** One contender in one round, or the medians of its rounds. */
export interface Measurement extends Faults {
  readonly name: string;
  /** Events per second of a backlog that waits when the process starts, from the first to the last record by the broker's clock. */
  readonly coldPerSecond: number;
  /** The same of a second backlog, given to the same process. */
  readonly warmPerSecond: number;
  /** Of the contender's own process, for the warm backlog. */
  readonly cpuSecondsPerMillion: number;
  /** The largest resident set of its process. */
  readonly peakMb: number;
  /** From the commit's reply to the consumer's receipt, at a steady rate. Undefined where nothing is written by commits. */
  readonly latency: Latency | undefined;
  /** What other work used of the processors just before, in percent: above 10 the numbers are worth little. */
  readonly busyBefore: number;
}

/** In milliseconds. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export const isExact = ({ lost, repeated, reordered, malformed }: Faults): boolean => lost + repeated + reordered + malformed === 0;

/** Each contender's medians, in the order of their first appearance; faults are added up, so that none hides. */
export function medians(rounds: readonly Measurement[]): Measurement[] {
  return [...Map.groupBy(rounds, ({ name }) => name).values()].map(medianOf);
}

function medianOf(rounds: readonly Measurement[]): Measurement {
  const middle = (pick: (round: Measurement) => number) => median(rounds.map(pick));
  const sum = (pick: (round: Measurement) => number) => rounds.map(pick).reduce((a, b) => a + b, 0);
  return {
    name: rounds[0]!.name,
    coldPerSecond: middle((round) => round.coldPerSecond),
    warmPerSecond: middle((round) => round.warmPerSecond),
    cpuSecondsPerMillion: middle((round) => round.cpuSecondsPerMillion),
    peakMb: middle((round) => round.peakMb),
    latency: medianLatency(rounds.flatMap(({ latency }) => latency ?? [])),
    busyBefore: Math.max(...rounds.map((round) => round.busyBefore)),
    lost: sum((round) => round.lost),
    repeated: sum((round) => round.repeated),
    reordered: sum((round) => round.reordered),
    malformed: sum((round) => round.malformed),
  };
}

function medianLatency(found: readonly Latency[]): Latency | undefined {
  if (found.length === 0) return undefined;
  const middle = (pick: (latency: Latency) => number) => median(found.map(pick));
  return { p50Ms: middle(({ p50Ms }) => p50Ms), p99Ms: middle(({ p99Ms }) => p99Ms), maxMs: middle(({ maxMs }) => maxMs) };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2;
}
