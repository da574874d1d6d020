import type { Measurement } from './run-contender.js';

export interface Report {
  /** For people. */
  readonly table: string;
  /** For programs. */
  readonly json: object;
  /** Every contender left exactly one row for each event. */
  readonly exact: boolean;
}

const NOTE = `events/s: from the first audit row to the last, copies not counted; kafkajs-raw reads records and writes nothing.
CPU and memory are the contender's own. Nest read fewer records; ratios are of the rates.
`;

export const reportThroughput = (results: readonly Measurement[]): Report =>
  report('consumer', results, NOTE, {
    handlerOverNest: ratio(results, 'handler', 'nest'),
    batchOverNest: ratio(results, 'batch', 'nest'),
    handlerOverNestConcurrent: ratio(results, 'handler', 'nest-concurrent'),
    batchOverNestConcurrent: ratio(results, 'batch', 'nest-concurrent'),
    batchOverRaw: ratio(results, 'batch', 'kafkajs-raw'),
  });

export const reportLanes = (results: readonly Measurement[]): Report =>
  report('consumer-lanes', results, 'One partition, 1,000 keys, a handler that waits 5 ms.\n', {
    lanesOverSequential: ratio(results, 'lanes', 'sequential'),
  });

export const reportFilled = (results: readonly Measurement[], claimsBefore: number): Report =>
  report('consumer-filled', results, `batch-filled: its group has had ${claimsBefore} events before, and remembers them.\n`, {
    filledOverEmpty: ratio(results, 'batch-filled', 'batch'),
  });

function report(bench: string, results: readonly Measurement[], note: string, ratios: Record<string, number | undefined>): Report {
  const exact = results.every((result) => result.exact);
  const lines = Object.entries(ratios).map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\n`));
  return {
    table: `\n${table(results)}\n${note}${lines.join('')}`,
    json: { bench, ratios, exact, contenders: results.map(rounded) },
    exact,
  };
}

/** Undefined when one of them was left out. */
function ratio(results: readonly Measurement[], one: string, other: string): number | undefined {
  const [first, second] = [one, other].map((name) => results.find((result) => result.name === name)?.perSecond);
  return first === undefined || second === undefined ? undefined : Math.round((first / second) * 100) / 100;
}

const rounded = (result: Measurement) => ({
  ...result,
  perSecond: Math.round(result.perSecond),
  cpuSecondsPerMillion: Math.round(result.cpuSecondsPerMillion * 10) / 10,
});

const COLUMNS = ['contender', 'records', 'events', 'events/s', 'CPU s/million', 'RSS MB', 'busy before %', 'exact'] as const;

function table(results: readonly Measurement[]): string {
  const rows = results
    .map(rounded)
    .map(({ name, records, events, perSecond, cpuSecondsPerMillion, rssMb, busyBefore, exact, lost, twice }) => {
      const verdict = exact ? 'yes' : `NO: ${lost} lost, ${twice} twice`;
      return [name, records, events, perSecond, cpuSecondsPerMillion, rssMb, busyBefore, verdict].map(String);
    });
  const all = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
