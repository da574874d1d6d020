import { expect, it } from 'vitest';
import { oldInvoices } from './old-invoices.js';
import { expectations, holdsFor, type InvoicesOutcome, reportLines } from './outcome.js';

const good: InvoicesOutcome = {
  sent: 12,
  dead: [
    { number: 'INV-0003', attempts: 1, reason: 'invalid recipient not-an-email' },
    { number: 'INV-0004', attempts: 4, reason: 'invoice INV-0004 has no amount' },
  ],
  mostAtOnce: 5,
  mails: Object.fromEntries(oldInvoices.filter((_, index) => index !== 2 && index !== 3).map(({ number }) => [number, 1])),
  disagreeing: [],
  replayed: { number: 'INV-0004', answers: [true, false], status: 'sent', mails: 1 },
};
const holds = (outcome: InvoicesOutcome) => expectations.every((expectation) => holdsFor(outcome, expectation));

it('is content with what should come of the story', () => {
  expect(holds(good)).toBe(true);
  expect(reportLines(good)).toContain('✓ e-mails for each invoice               1 (of 12 invoices)');
});

it.each<Partial<InvoicesOutcome>>([
  { sent: 11 },
  { dead: good.dead.slice(0, 1) },
  { dead: [good.dead[0]!, { ...good.dead[1]!, attempts: 3 }] },
  { dead: [...good.dead, { number: 'INV-0005', attempts: 4, reason: 'answered 503' }] },
  { mostAtOnce: 6 },
  { mostAtOnce: 0 },
  { mails: { ...good.mails, 'INV-0005': 2 } },
  { mails: { ...good.mails, 'INV-0003': 1 } },
  { disagreeing: ['INV-0007'] },
  { replayed: { ...good.replayed, answers: [true, true] } },
  { replayed: { ...good.replayed, mails: 2 } },
])('is not content with %j', (wrong) => {
  expect(holds({ ...good, ...wrong })).toBe(false);
});
