import { INCOMPLETE, oldInvoices, REFUSED } from './old-invoices.js';

/** What a run of the story led to. */
export interface InvoicesOutcome {
  /** Deliveries of the invoices that were sent before anybody replayed one. */
  readonly sent: number;
  /** Those that were given up, by number. */
  readonly dead: readonly { readonly number: string; readonly attempts: number; readonly reason: string | null }[];
  /** Calls that the provider was busy with at the same moment, at most, of all instances of email together. */
  readonly mostAtOnce: number;
  /** How many e-mails customers received about each invoice, by number, before anybody replayed one. */
  readonly mails: Readonly<Record<string, number>>;
  /** Numbers of the invoices of which invoices tells another state than the email service. */
  readonly disagreeing: readonly string[];
  /** What came of the incomplete invoice once it was corrected, and its delivery replayed twice. */
  readonly replayed: { readonly number: string; readonly answers: readonly boolean[]; readonly status: string; readonly mails: number };
}

const AT_ONCE = 5;

interface Expectation {
  readonly meaning: string;
  readonly value: (outcome: InvoicesOutcome) => string;
  readonly wanted: string;
  /** Whether the value is right; when it is what is wanted, unless given. */
  readonly holds?: (outcome: InvoicesOutcome) => boolean;
}

const whole = oldInvoices.filter(({ number }) => number !== REFUSED && number !== INCOMPLETE);

/** What should come of it, each with what it means. */
export const expectations: readonly Expectation[] = [
  { meaning: 'invoices sent', value: ({ sent }) => String(sent), wanted: String(whole.length) },
  {
    meaning: 'given up, with the reason',
    value: ({ dead }) => dead.map(({ number, attempts, reason }) => `${number} after ${attempts}: ${reason}`).join('; ') || 'none',
    wanted: `${REFUSED} after 1, its address refused; ${INCOMPLETE} after 4, its amount missing`,
    holds: ({ dead: [refused, incomplete, ...others] }) =>
      isDead(refused, REFUSED, 1, 'not-an-email') && isDead(incomplete, INCOMPLETE, 4, 'amount') && others.length === 0,
  },
  {
    meaning: 'most calls at the provider at once',
    value: ({ mostAtOnce }) => String(mostAtOnce),
    wanted: `1 to ${AT_ONCE}`,
    holds: ({ mostAtOnce }) => mostAtOnce >= 1 && mostAtOnce <= AT_ONCE,
  },
  {
    meaning: 'e-mails for each invoice',
    value: ({ mails }) => [...new Set(Object.values(mails))].join(', ') + ` (of ${Object.keys(mails).length} invoices)`,
    wanted: `1 (of ${whole.length} invoices)`,
  },
  { meaning: 'of which the services disagree', value: ({ disagreeing }) => disagreeing.join(', ') || 'none', wanted: 'none' },
  {
    meaning: 'replayed twice once corrected',
    value: ({ replayed: { number, answers, status, mails } }) => `${number}: ${answers.join(', then ')}; ${status}, ${mails} e-mail`,
    wanted: `${INCOMPLETE}: true, then false; sent, 1 e-mail`,
  },
];

function isDead(letter: InvoicesOutcome['dead'][number] | undefined, number: string, attempts: number, word: string): boolean {
  return letter?.number === number && letter.attempts === attempts && (letter.reason ?? '').includes(word);
}

export const holdsFor = (outcome: InvoicesOutcome, { holds, value, wanted }: Expectation): boolean =>
  holds?.(outcome) ?? value(outcome) === wanted;

/** The outcome as a table for people. */
export const reportLines = (outcome: InvoicesOutcome): string[] =>
  expectations.flatMap((expectation) => {
    const good = holdsFor(outcome, expectation);
    const line = `${good ? '✓' : '✗'} ${expectation.meaning.padEnd(38)} ${expectation.value(outcome)}`;
    return good ? [line] : [line, `  ${'expected'.padEnd(38)} ${expectation.wanted}`];
  });
