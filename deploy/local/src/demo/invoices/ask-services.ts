import { getJson } from '../../http-json.js';
import type { System } from '../../system.js';
import type { InvoicesOutcome } from './outcome.js';

// Asks the services over their APIs, as a person would who wants to know what became of the invoices.

type Urls = System['urls'];

/** An invoice that was asked to be sent. */
export interface Asked {
  readonly number: string;
  readonly invoiceId: number;
  readonly deliveryId: number;
}

/** Its e-mail, as invoices tells of it. */
export interface View extends Asked {
  readonly status: 'queued' | 'running' | 'sent' | 'dead';
  readonly attempts: number;
  readonly reason: string | null;
}

export async function viewsOf(urls: Urls, asked: readonly Asked[]): Promise<View[]> {
  return Promise.all(
    asked.map(async (invoice) => ({ ...invoice, ...(await getJson<View>(`${urls.invoices}/deliveries/${invoice.deliveryId}`)) })),
  );
}

export const isOver = ({ status }: View): boolean => status === 'sent' || status === 'dead';

/** Numbers of those that the email service knows in another state, or that are sent while their invoice is not. */
export async function disagreeing(urls: Urls, views: readonly View[]): Promise<string[]> {
  const agree = await Promise.all(views.map((view) => agrees(urls, view)));
  return views.filter((_, index) => !agree[index]).map(({ number }) => number);
}

async function agrees({ email, invoices }: Urls, { deliveryId, invoiceId, status, attempts }: View): Promise<boolean> {
  const [known, invoice] = await Promise.all([
    getJson<{ status: string; attempts: number }>(`${email}/deliveries/delivery-${deliveryId}`),
    getJson<{ status: string }>(`${invoices}/invoices/${invoiceId}`),
  ]);
  return known.status === status && known.attempts === attempts && (invoice.status === 'sent') === (status === 'sent');
}

/** How many e-mails customers received about each invoice. */
export async function mailsByNumber(urls: Urls): Promise<InvoicesOutcome['mails']> {
  const inbox = await getJson<{ subject: string }[]>(`${urls['mail-provider']}/inbox`);
  const numbers = inbox.map(({ subject }) => subject.replace('Invoice ', '')).sort();
  return Object.fromEntries([...Map.groupBy(numbers, (number) => number)].map(([number, same]) => [number, same.length]));
}

export async function mostAtOnce(urls: Urls): Promise<number> {
  return (await getJson<{ mostAtOnce: number }>(`${urls['mail-provider']}/stats`)).mostAtOnce;
}
