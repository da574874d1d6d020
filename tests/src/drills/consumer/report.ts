import type { Evidence } from './evidence.js';
import { FATES } from './fate.js';
import type { Verdict } from './judge.js';

/** What a drill came to. */
export interface Outcome {
  readonly seed: number;
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
  readonly records: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly clicks: { readonly asked: number; readonly done: number; readonly unanswered: number };
  /** Processes that ended because of an event. */
  readonly killedByEvents: number;
  /** Seconds from the last fault until everything was done. */
  readonly settledAfter: number;
}

const EXAMPLES = 5;

export const violationsOf = ({ verdicts }: Outcome): number => verdicts.reduce((sum, { violations }) => sum + violations.length, 0);

/** For people. */
export function tableOf(outcome: Outcome): string {
  const faults = [...outcome.faults].map(([name, count]) => `${name} ${count}`).join(', ');
  const { asked, done, unanswered } = outcome.clicks;
  const lines = [
    ['fate', 'events', 'effects', 'dead', 'open', 'replayed', 'discarded'],
    ...FATES.map((fate) => rowOf(fate, outcome.evidence)),
  ];
  return [
    ...aligned(lines),
    '',
    `seed ${outcome.seed}; ${outcome.records} records of ${outcome.evidence.events.length} events; done ${outcome.settledAfter} s after the last fault`,
    `faults: ${faults}; processes killed by events ${outcome.killedByEvents}`,
    `clicks: ${asked} asked, ${done} done, ${unanswered} without an answer`,
    '',
    ...outcome.verdicts.flatMap(linesOf),
    '',
  ].join('\n');
}

/** For programs. */
export const jsonOf = (outcome: Outcome): object => ({
  drill: 'consumer',
  seed: outcome.seed,
  exact: violationsOf(outcome) === 0,
  records: outcome.records,
  events: outcome.evidence.events.length,
  effects: outcome.evidence.effects.length,
  deadLetters: outcome.evidence.letters.length,
  faults: Object.fromEntries(outcome.faults),
  killedByEvents: outcome.killedByEvents,
  clicks: outcome.clicks,
  settledAfterSeconds: outcome.settledAfter,
  violations: Object.fromEntries(outcome.verdicts.map(({ promise, violations }) => [promise, violations.length])),
});

function rowOf(fate: string, { events, effects, letters }: Evidence): string[] {
  const isOf = (id: string) => id.startsWith(`${fate}/`);
  const ofFate = letters.filter(({ eventId }) => isOf(eventId));
  const inState = (state: string) => ofFate.filter((letter) => letter.state === state).length;
  const counts = [
    events.filter(({ id }) => isOf(id)).length,
    effects.filter(({ eventId }) => isOf(eventId)).length,
    ofFate.length,
    inState('open'),
    inState('replayed'),
    inState('discarded'),
  ];
  return [fate, ...counts.map(String)];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '));
}

function linesOf({ promise, violations }: Verdict): string[] {
  if (violations.length === 0) return [`kept    ${promise}`];
  const more = violations.length > EXAMPLES ? [`          and ${violations.length - EXAMPLES} more`] : [];
  return [`BROKEN  ${promise}: ${violations.length}`, ...violations.slice(0, EXAMPLES).map((text) => `          ${text}`), ...more];
}
