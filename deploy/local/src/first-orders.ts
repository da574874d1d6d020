import { postJson } from './http-json.js';
import type { Progress } from './progress.js';
import type { System } from './system.js';

/** The orders that a new system starts with: one whose mail needs three attempts, and one whose mailbox does not exist. */
export const firstOrders = [
  {
    correlationId: 'req-7f3a',
    order: { orderId: 'ORD-1001', customer: { email: 'ada@shop.ng', name: 'Ada' }, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' },
  },
  {
    correlationId: 'req-81c2',
    order: {
      orderId: 'ORD-1002',
      customer: { email: 'bola@shop.invalid', name: 'Bola' },
      totalKobo: 450_000,
      currency: 'NGN',
      channel: 'app',
    },
  },
] as const;

export const FAILURES_OF_THE_PROVIDER = 2;

/** Places {@link firstOrders} through the API, unless they are there: then the system has run before. Says whether it did. */
export async function placeFirstOrders({ urls }: Pick<System, 'urls'>, say: Progress): Promise<boolean> {
  const first = await fetch(`${urls.orders}/orders/${firstOrders[0].order.orderId}`);
  if (first.ok) return false;
  await postJson(`${urls['mail-provider']}/control`, { failNext: FAILURES_OF_THE_PROVIDER });
  say(`told the mail provider to fail ${FAILURES_OF_THE_PROVIDER} times, so that there is something to see`);
  for (const { order, correlationId } of firstOrders) {
    await postJson(`${urls.orders}/orders`, order, { 'x-request-id': correlationId });
  }
  return true;
}
