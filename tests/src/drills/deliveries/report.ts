import type { Evidence } from './evidence.js';
import type { Verdict } from './judge.js';

/** What a drill came to. */
export interface Outcome {
  readonly seed: number;
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
  readonly faults: ReadonlyMap<string, number>;
  /** Faults that could not be done. */
  readonly failures: readonly string[];
  /** Seconds from the last fault until nothing was open. */
  readonly settledAfter: number;
}

const EXAMPLES = 5;

export const isExact = ({ verdicts }: Pick<Outcome, 'verdicts'>): boolean => verdicts.every(({ violations }) => violations.length === 0);

/** For people. */
export function tableOf(outcome: Outcome): string {
  const { requests, accepted, repeated, sent, dead, deadBecause, mails, mostAtOnce } = countsOf(outcome.evidence);
  return [
    `seed ${outcome.seed}; nothing is open ${outcome.settledAfter} s after the last fault`,
    `invoices: ${requests}; ${accepted} times 202, of which ${repeated} were asked for again`,
    `deliveries: ${sent} sent, ${dead} dead; ${mails} e-mails received; at most ${mostAtOnce} at the provider`,
    ...Object.entries(deadBecause).map(([reason, count]) => `dead because of ${reason}: ${count}`),
    `faults: ${[...outcome.faults].map(([name, count]) => `${name} ${count}`).join(', ')}`,
    ...outcome.failures.map((failure) => `not done: ${failure}`),
    '',
    ...linesOf(outcome.verdicts),
    '',
  ].join('\n');
}

/** For programs. */
export const jsonOf = (outcome: Outcome): object => ({
  drill: 'deliveries',
  seed: outcome.seed,
  exact: isExact(outcome),
  ...countsOf(outcome.evidence),
  faults: Object.fromEntries(outcome.faults),
  failures: outcome.failures,
  settledAfterSeconds: outcome.settledAfter,
  violations: countsOfViolations(outcome.verdicts),
});

export const countsOfViolations = (verdicts: readonly Verdict[]): Record<string, number> =>
  Object.fromEntries(verdicts.map(({ promise, violations }) => [promise, violations.length]));

function countsOf({ requests, ledger, inbox, mostAtOnce }: Evidence) {
  const clicks = requests.map(({ accepted }) => accepted.length);
  const dead = ledger.filter(({ status }) => status === 'dead');
  const reasons = Map.groupBy(dead, ({ lastError }) => (lastError ?? 'nothing').replace(/INV-D\d+|\/\d+/g, '…'));
  return {
    requests: requests.length,
    accepted: clicks.reduce((sum, count) => sum + count, 0),
    repeated: clicks.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    sent: ledger.filter(({ status }) => status === 'sent').length,
    dead: dead.length,
    deadBecause: Object.fromEntries([...reasons].map(([reason, rows]) => [reason, rows.length])),
    mails: inbox.length,
    mostAtOnce,
  };
}

/** One line for each promise, and what broke it. */
export function linesOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ promise, violations }) => {
    if (violations.length === 0) return [`kept    ${promise}`];
    const more = violations.length > EXAMPLES ? [`          and ${violations.length - EXAMPLES} more`] : [];
    return [`BROKEN  ${promise}: ${violations.length}`, ...violations.slice(0, EXAMPLES).map((text) => `          ${text}`), ...more];
  });
}
