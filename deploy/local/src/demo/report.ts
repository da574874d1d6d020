import { isDeepStrictEqual } from 'node:util';
import { expectedOutcome, type Outcome } from './outcome.js';

const meanings: Readonly<Record<keyof Outcome, string>> = {
  relayed: 'events relayed from the orders outbox',
  relayedAgain: 'of them relayed a second time',
  mails: 'mails that customers received',
  auditRows: 'orders in the audit log',
  revenueKobo: 'revenue in kobo',
  deadLetters: 'dead letters',
};

/** The outcome as a table for people: what should be there, and where it is not, what is there instead. */
export function reportLines(outcome: Outcome): string[] {
  return (Object.keys(meanings) as (keyof Outcome)[]).flatMap((name) => {
    const good = isDeepStrictEqual(outcome[name], expectedOutcome[name]);
    const [first = 'none', ...more] = valuesOf(outcome[name]);
    const lines = [`${good ? '✓' : '✗'} ${meanings[name].padEnd(38)} ${first}`, ...more.map((value) => ' '.repeat(41) + value)];
    return good ? lines : [...lines, ...valuesOf(expectedOutcome[name]).map((value) => `  ${'expected'.padEnd(38)} ${value}`)];
  });
}

const valuesOf = (value: Outcome[keyof Outcome]): string[] =>
  typeof value === 'number' ? [value.toLocaleString('en')] : value.map((entry) => Object.values(entry).join(', '));

export const isExpected = (outcome: Outcome): boolean => isDeepStrictEqual(outcome, expectedOutcome);
