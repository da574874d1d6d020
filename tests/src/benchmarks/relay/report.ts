import type { Faults } from './verification.js';
import { isExact, type Measurement } from './measurement.js';
import type { Ratios } from './ratios.js';

const NOTE = `events/s: from the first record to the last by the broker's clock; cold: the backlog waits when the process starts; warm: a second one for
the same process. CPU (warm) and memory are the contender's own. p50, p99: from a commit's reply to the consumer, 500 events a second.
`;

const COLUMNS = ['contender', 'cold/s', 'warm/s', 'CPU s/million', 'peak MB', 'p50 ms', 'p99 ms', 'busy before %', 'exact'] as const;

/** For people. */
export function tableOf(results: readonly Measurement[], ratios: Ratios): string {
  const rows = results.map(rounded).map((result) => {
    const { name, coldPerSecond, warmPerSecond, cpuSecondsPerMillion, peakMb, p50Ms = '-', p99Ms = '-', busyBefore } = result;
    return [name, coldPerSecond, warmPerSecond, cpuSecondsPerMillion, peakMb, p50Ms, p99Ms, busyBefore, verdict(result)].map(String);
  });
  const all = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  const lines = Object.entries(ratios).filter(([, ratio]) => ratio !== undefined);
  return `\n${all.map((row) => `${line(row).trimEnd()}\n`).join('')}\n${NOTE}${lines.map(([name, ratio]) => `${name}: ${ratio}\n`).join('')}`;
}

/** For programs. */
export const jsonOf = (given: object, results: readonly Measurement[], ratios: Ratios): object => ({
  bench: 'relay',
  ...given,
  ratios,
  exact: results.every(isExact),
  contenders: results.map(rounded),
});

function verdict(result: Faults): string {
  if (isExact(result)) return 'yes';
  const { lost, repeated, reordered, malformed } = result;
  return `NO: ${lost} lost, ${repeated} repeated, ${reordered} reordered, ${malformed} malformed`;
}

function rounded({ latency, ...result }: Measurement) {
  const tenths = (n: number) => Math.round(n * 10) / 10;
  const { p50Ms, p99Ms, maxMs } = latency ?? {};
  return {
    ...result,
    coldPerSecond: Math.round(result.coldPerSecond),
    warmPerSecond: Math.round(result.warmPerSecond),
    cpuSecondsPerMillion: tenths(result.cpuSecondsPerMillion),
    peakMb: Math.round(result.peakMb),
    ...(p50Ms === undefined ? {} : { p50Ms: tenths(p50Ms), p99Ms: tenths(p99Ms!), maxMs: tenths(maxMs!) }),
  };
}
