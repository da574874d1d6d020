// Checked by `npm run typecheck`: each @ts-expect-error is an error of its own when the line below it compiles.
import Type from 'typebox';
import { defineEvent, type PayloadOf } from './contract.js';
import type { EventOf } from './envelope.js';
import type { orderCancelled } from './events.js';
import { orderCreatedV1 } from './order-created/v1.js';
import { orderCreatedV2 } from './order-created/v2.js';
import { orderCreatedV3 } from './order-created/v3.js';
import { readPayload } from './read-payload.js';
import { topics } from './topics.js';
import { upcast, version } from './version.js';

// As of v3, whatever is released after it.
const orderCreated = defineEvent({
  type: 'order.created',
  topic: topics.orders,
  summary: '',
  versions: [orderCreatedV1, orderCreatedV2, orderCreatedV3],
});

const payload = readPayload(orderCreated, 3, {});

// The latest version is what a reader gets.
payload.customer.email satisfies string;
payload.customer.name satisfies string | null;
payload.totalKobo satisfies number;
payload.currency satisfies 'NGN';
payload.channel satisfies 'web' | 'app' | 'unknown';

// @ts-expect-error v1 had `email` at the top; the contract has it no more
export const flatEmail: string = payload.email;
// @ts-expect-error a name may be null
export const name: string = payload.customer.name;
// @ts-expect-error no contract has a coupon
export const coupon: unknown = payload.customer.coupon;

declare const event: EventOf<typeof orderCreated>;
event.type satisfies 'order.created';
event.payload satisfies PayloadOf<typeof orderCreated>;
// @ts-expect-error a handler of order.created does not get what other events carry
export const reason: unknown = event.payload.reason;
// @ts-expect-error an event is never of another type than its contract
event.type satisfies 'order.cancelled';
// @ts-expect-error an event of one contract is not an event of another
export const cancelled: EventOf<typeof orderCancelled> = event;

const whole: PayloadOf<typeof orderCreated> = {
  orderId: 'ORD-1',
  customer: { email: 'ada@shop.ng', name: null },
  totalKobo: 1,
  currency: 'NGN',
  channel: 'web',
};
// @ts-expect-error a payload without its channel is no order.created
export const withoutChannel: typeof whole = { orderId: 'ORD-1', customer: whole.customer, totalKobo: 1, currency: 'NGN' };
// @ts-expect-error a channel that the contract lacks
export const fax: typeof whole = { ...whole, channel: 'fax' };
// @ts-expect-error money is a number of kobo, never text
export const text: typeof whole = { ...whole, totalKobo: '1' };
// @ts-expect-error a field that the contract lacks
export const extra: typeof whole = { ...whole, coupon: 'X' };

const v1 = version(1, Type.Object({ orderId: Type.String() }), 'First release.');
const v2 = version(2, Type.Object({ orderId: Type.String(), size: Type.Integer() }), 'Added `size`.');
upcast(v1, v2, ({ orderId }) => ({ orderId, size: 0 }));
// @ts-expect-error an upcaster answers a whole payload of the next version
upcast(v1, v2, ({ orderId }) => ({ orderId }));
// @ts-expect-error an upcaster reads only what its version has
upcast(v1, v2, ({ orderId, size }) => ({ orderId, size }));

defineEvent({ type: 'example.happened', topic: topics.orders, summary: '', versions: [v1, v2], key: 'size' });
// @ts-expect-error the key is a field of the latest version
defineEvent({ type: 'example.happened', topic: topics.orders, summary: '', versions: [v1, v2], key: 'number' });
