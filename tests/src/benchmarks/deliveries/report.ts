import { isExact, type Measurement, type Ratios } from './measurement.js';

const NOTE = `per second: from the start until every job is finished; a job: fetch it, then in one transaction mark it done and insert one outbox row.
ours-full: the ledger holds finished rows. ours-first: each delivery also announces its start, a second outbox row. graphile-worker fetches 500
at once and cannot complete a job in the task's transaction: its outbox rows commit alone, completions follow in batches;
graphile-direct does not fetch ahead. pg-boss fetches and finishes as many at once as are in hand with us; pg-boss-100 a hundred.
`;

const COLUMNS = ['contender', 'per second', 'busy before %', 'exact'] as const;

/** For people. */
export function tableOf(results: readonly Measurement[], ratios: Ratios): string {
  const rows = results.map((result) => [result.name, String(Math.round(result.perSecond)), String(result.busyBefore), verdict(result)]);
  const all = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  const lines = Object.entries(ratios).filter(([, ratio]) => ratio !== undefined);
  return `\n${all.map((row) => `${line(row).trimEnd()}\n`).join('')}\n${NOTE}${lines.map(([name, ratio]) => `${name}: ${ratio}\n`).join('')}`;
}

/** For programs. */
export const jsonOf = (given: object, results: readonly Measurement[], ratios: Ratios): object => ({
  bench: 'deliveries',
  ...given,
  ratios,
  perSecond: Object.fromEntries(results.map(({ name, perSecond }) => [name, Math.round(perSecond)])),
  busyBefore: Object.fromEntries(results.map(({ name, busyBefore }) => [name, busyBefore])),
  exact: results.every(isExact),
  contenders: results.map((result) => ({ ...result, perSecond: Math.round(result.perSecond) })),
});

const verdict = (result: Measurement): string => (isExact(result) ? 'yes' : `NO: ${result.lost} lost, ${result.twice} twice`);
