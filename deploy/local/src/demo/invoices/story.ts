import { setTimeout as delay } from 'node:timers/promises';
import { patchJson, postJson } from '../../http-json.js';
import type { Progress } from '../../progress.js';
import type { System } from '../../system.js';
import type { Ending, Story } from '../ending.js';
import { type Asked, disagreeing, isOver, mailsByNumber, mostAtOnce, type View, viewsOf } from './ask-services.js';
import { INCOMPLETE, type OldInvoice, oldInvoices } from './old-invoices.js';
import { expectations, holdsFor, type InvoicesOutcome, reportLines } from './outcome.js';

type Urls = System['urls'];

const PROVIDER_MS = 100;
const CORRECTED_KOBO = 650_000;
const PAUSE_MS = 100;

/** Fourteen old invoices are sent at once, two of them broken, by three instances of email: see {@link expectations}. */
export const invoicesStory: Story = { setting: { further: ['email-2', 'email-3'] }, play };

async function play({ urls }: System, stop: AbortSignal, say: Progress): Promise<Ending> {
  await postJson(`${urls['mail-provider']}/control`, { delayMs: PROVIDER_MS });
  say(`the mail provider takes ${PROVIDER_MS} ms for each e-mail; three instances of email send`);
  const imported: Omit<Asked, 'deliveryId'>[] = [];
  for (const invoice of oldInvoices) imported.push(await importInvoice(urls, invoice));
  say(`imported ${imported.length} invoices; asking for all of them at once`);
  const asked = await Promise.all(imported.map((invoice) => sendInvoice(urls, invoice)));
  const views = await untilOver(urls, asked, stop);
  say('every invoice is sent or given up');
  const [mails, most] = await Promise.all([mailsByNumber(urls), mostAtOnce(urls)]);
  const before = { ...countsOf(views), mostAtOnce: most, mails, disagreeing: await disagreeing(urls, views) };
  const incomplete = asked.find(({ number }) => number === INCOMPLETE)!;
  return endingOf({ ...before, replayed: await correctAndReplay(urls, incomplete, stop, say) });
}

async function importInvoice(urls: Urls, invoice: OldInvoice): Promise<Omit<Asked, 'deliveryId'>> {
  const { invoiceId } = await postJson<{ invoiceId: number }>(`${urls.invoices}/invoices`, invoice);
  return { number: invoice.number, invoiceId };
}

async function sendInvoice(urls: Urls, invoice: Omit<Asked, 'deliveryId'>): Promise<Asked> {
  const requestId = { 'x-request-id': `req-${invoice.number}` };
  const { deliveryId } = await postJson<{ deliveryId: number }>(`${urls.invoices}/invoices/${invoice.invoiceId}/send`, {}, requestId);
  return { ...invoice, deliveryId };
}

/** Somebody reads the reason, sets the amount, and replays the delivery; a second click does nothing. */
async function correctAndReplay(urls: Urls, asked: Asked, stop: AbortSignal, say: Progress): Promise<InvoicesOutcome['replayed']> {
  await patchJson(`${urls.invoices}/invoices/${asked.invoiceId}`, { amountKobo: CORRECTED_KOBO });
  const replay = async () => {
    const decision = { who: 'demo', why: 'the amount is set' };
    return (await postJson<{ replayed: boolean }>(`${urls.email}/deliveries/delivery-${asked.deliveryId}/replay`, decision)).replayed;
  };
  const answers = [await replay(), await replay()];
  say(`corrected ${asked.number} and replayed it twice`);
  // It was dead before, and invoices hears of the replay a moment later.
  const [view] = await untilAll(urls, [asked], stop, ({ status }) => status === 'sent');
  return { number: asked.number, answers, status: view!.status, mails: (await mailsByNumber(urls))[asked.number] ?? 0 };
}

const untilOver = (urls: Urls, asked: readonly Asked[], stop: AbortSignal) => untilAll(urls, asked, stop, isOver);

async function untilAll(urls: Urls, asked: readonly Asked[], stop: AbortSignal, holds: (view: View) => boolean): Promise<View[]> {
  for (;;) {
    const views = await viewsOf(urls, asked);
    if (views.every(holds)) return views;
    await delay(PAUSE_MS, undefined, { signal: stop });
  }
}

function countsOf(views: readonly View[]): Pick<InvoicesOutcome, 'sent' | 'dead'> {
  const dead = views.filter(({ status }) => status === 'dead');
  return {
    sent: views.filter(({ status }) => status === 'sent').length,
    dead: dead.map(({ number, attempts, reason }) => ({ number, attempts, reason })),
  };
}

const endingOf = (outcome: InvoicesOutcome): Ending => ({
  outcome,
  lines: reportLines(outcome),
  isExpected: expectations.every((expectation) => holdsFor(outcome, expectation)),
});
