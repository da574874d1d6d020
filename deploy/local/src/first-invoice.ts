import { setTimeout as delay } from 'node:timers/promises';
import { FAILURES_OF_THE_PROVIDER, firstOrders } from './first-orders.js';
import { getJson, postJson } from './http-json.js';
import type { Progress } from './progress.js';
import type { System } from './system.js';
import { whatBecameOfInTheEnd } from './what-happened.js';

/** The two clicks on "send": the e-mail belongs to the first. */
export const FIRST_CLICK = 'req-41';
const SECOND_CLICK = 'req-42';

const PAUSE_MS = 100;
const PATIENCE_MS = 30_000;

interface Invoice {
  readonly invoiceId: number;
  readonly number: string;
  readonly orderId: string | null;
}

/**
 * Sends the invoice of the first order, by somebody who clicks twice, while the provider fails twice. Its receipt is sent before.
 * Resolves when the invoice is sent or given up, or after half a minute.
 */
export async function sendFirstInvoice({ urls }: Pick<System, 'urls'>, say: Progress, stop: AbortSignal): Promise<void> {
  const { orderId } = firstOrders[0].order;
  const { invoiceId, number } = await draftedFor(urls, orderId, stop);
  await whatBecameOfInTheEnd(urls, orderId, stop);
  await postJson(`${urls['mail-provider']}/control`, { failNext: FAILURES_OF_THE_PROVIDER });
  const send = (click: string) =>
    postJson<{ deliveryId: number }>(`${urls.invoices}/invoices/${invoiceId}/send`, {}, { 'x-request-id': click });
  await send(FIRST_CLICK);
  const { deliveryId } = await send(SECOND_CLICK);
  say(`asked twice for invoice ${number} (${FIRST_CLICK}, ${SECOND_CLICK}), with a provider that fails ${FAILURES_OF_THE_PROVIDER} times`);
  await untilOver(urls, deliveryId, stop);
}

async function untilOver(urls: System['urls'], deliveryId: number, stop: AbortSignal): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const { status } = await getJson<{ status: string }>(`${urls.invoices}/deliveries/${deliveryId}`);
    if (status === 'sent' || status === 'dead') return;
    await delay(PAUSE_MS, undefined, { signal: stop });
  }
}

async function draftedFor(urls: System['urls'], orderId: string, stop: AbortSignal): Promise<Invoice> {
  for (;;) {
    const invoices = await getJson<Invoice[]>(`${urls.invoices}/invoices?status=draft`);
    const invoice = invoices.find((each) => each.orderId === orderId);
    if (invoice !== undefined) return invoice;
    await delay(PAUSE_MS, undefined, { signal: stop });
  }
}
