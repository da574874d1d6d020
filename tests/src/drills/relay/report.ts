import type { Evidence, TakeOver } from './evidence/evidence.js';
import type { Verdict } from './evidence/judge.js';

/** What a drill came to. */
export interface Outcome {
  readonly seed: number;
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
  readonly times: readonly Verdict[];
  readonly faults: ReadonlyMap<string, number>;
  /** Faults that could not be done. */
  readonly failures: readonly string[];
  /** Seconds from the last fault until nothing waited. */
  readonly settledAfter: number;
}

const EXAMPLES = 5;

/** Whether every promise was kept; times, which depend on what else the machine does, are no part of it. */
export const isExact = ({ verdicts }: Outcome): boolean => verdicts.every(({ violations }) => violations.length === 0);
const isTimely = ({ times }: Outcome): boolean => times.every(({ violations }) => violations.length === 0);

/** For people. */
export function tableOf(outcome: Outcome): string {
  const { committed, rolledBack, unknown, unknownCommitted, records, duplicates } = countsOf(outcome.evidence);
  const faults = [...outcome.faults].map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `seed ${outcome.seed}; nothing waits ${outcome.settledAfter} s after the last fault`,
    `events: ${committed} committed, ${rolledBack} rolled back; of ${unknown} whose commit got no answer ${unknownCommitted} were committed`,
    `records: ${records}, of which ${duplicates} are repetitions, after ${killsOf(outcome)} kills and ${stopsOf(outcome)} stops`,
    `faults: ${faults}`,
    ...outcome.failures.map((failure) => `not done: ${failure}`),
    ...takeOversOf(outcome.evidence).map(({ after, count, medianMs, maxMs, disturbed, disturbedMaxMs }) => {
      const others = disturbed === 0 ? '' : `; ${disturbed} more while a server was away or shortly after, at most ${disturbedMaxMs} ms`;
      return `take-over after a ${after}: ${count}, median ${medianMs} ms, at most ${maxMs} ms${others}`;
    }),
    '',
    ...outcome.verdicts.flatMap((verdict) => linesOf(verdict, 'BROKEN')),
    ...outcome.times.flatMap((verdict) => linesOf(verdict, 'LATE')),
    '',
  ].join('\n');
}

/** For programs. */
export const jsonOf = (outcome: Outcome): object => ({
  drill: 'relay',
  seed: outcome.seed,
  exact: isExact(outcome),
  timely: isTimely(outcome),
  ...countsOf(outcome.evidence),
  kills: killsOf(outcome),
  stops: stopsOf(outcome),
  faults: Object.fromEntries(outcome.faults),
  failures: outcome.failures,
  takeOvers: takeOversOf(outcome.evidence),
  settledAfterSeconds: outcome.settledAfter,
  violations: Object.fromEntries([...outcome.verdicts, ...outcome.times].map(({ promise, violations }) => [promise, violations.length])),
});

function countsOf({ events, stored, published }: Evidence) {
  const unknown = events.filter(({ fate }) => fate === 'unknown');
  return {
    committed: stored.size,
    rolledBack: events.length - stored.size,
    unknown: unknown.length,
    unknownCommitted: unknown.filter(({ id }) => stored.has(id)).length,
    records: published.length,
    duplicates: published.length - new Set(published.map(({ id }) => id)).size,
  };
}

function takeOversOf({ takeOvers }: Evidence) {
  return (['crash', 'stop'] as const).map((after) => {
    const all = takeOvers.filter((takeOver) => takeOver.after === after);
    const [undisturbed, disturbed] = [true, false].map((wanted) => timesOf(all, wanted)) as [number[], number[]];
    const medianMs = undisturbed[undisturbed.length >> 1] ?? null;
    const [maxMs, disturbedMaxMs] = [undisturbed.at(-1) ?? null, disturbed.at(-1) ?? null];
    return { after, count: undisturbed.length, medianMs, maxMs, disturbed: disturbed.length, disturbedMaxMs };
  });
}

const timesOf = (takeOvers: readonly TakeOver[], undisturbed: boolean): number[] =>
  takeOvers
    .filter((takeOver) => takeOver.undisturbed === undisturbed)
    .map(({ ms }) => Math.round(ms))
    .toSorted((a, b) => a - b);

const killsOf = ({ faults }: Outcome): number => sum([...faults].filter(([name]) => name.includes('kill')));
const stopsOf = ({ faults }: Outcome): number => sum([...faults].filter(([name]) => /stop|restart/.test(name)));
const sum = (counts: readonly (readonly [string, number])[]): number => counts.reduce((total, [, count]) => total + count, 0);

function linesOf({ promise, violations }: Verdict, otherwise: string): string[] {
  if (violations.length === 0) return [`kept    ${promise}`];
  const more = violations.length > EXAMPLES ? [`          and ${violations.length - EXAMPLES} more`] : [];
  return [
    `${otherwise.padEnd(8)}${promise}: ${violations.length}`,
    ...violations.slice(0, EXAMPLES).map((text) => `          ${text}`),
    ...more,
  ];
}
