import type { RunningShop } from './running-shop.js';

export const ORDERS = 400;
/** One creation, 48 contacts, one cancellation. */
export const EVENTS_PER_ORDER = 50;

/** Step `step` of every order in one transaction, as one commit that the relay may be killed in. */
export const insertStep = (shop: RunningShop, step: number) =>
  shop.query(
    'orders',
    `INSERT INTO outbox (id, aggregateid, type, version, topic, payload)
     SELECT format('evt-ORD-many-%s-%s', n, $1::int), format('ORD-many-%s', n), $2, $3::int, 'orders.events',
       jsonb_build_object('orderId', format('ORD-many-%s', n)) || $4::jsonb
     FROM generate_series(1, $5::int) AS n`,
    [step, ...eventOfStep(step), ORDERS],
  );

function eventOfStep(step: number): [type: string, version: number, payload: object] {
  const customer = { email: 'many@shop.ng', name: `step ${step}` };
  if (step === 1) return ['order.created', 3, { customer, totalKobo: 7, currency: 'NGN', channel: 'web' }];
  if (step < EVENTS_PER_ORDER) return ['order.contact-updated', 1, { customer }];
  return ['order.cancelled', 1, { reason: null }];
}

/** Event ids end in their step; within one order steps only grow. */
export function stepsOutOfOrder(eventIds: readonly string[]): string[] {
  const last = new Map<string, number>();
  return eventIds.filter((id) => {
    const [, order = '', step = ''] = /^(.*)-(\d+)$/.exec(id) ?? [];
    const before = last.get(order) ?? 0;
    last.set(order, Number(step));
    return Number(step) <= before;
  });
}
