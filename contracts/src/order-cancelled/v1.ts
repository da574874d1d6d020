import Type from 'typebox';
import { Nullable, OrderId, text } from '../fields.js';
import { version } from '../version.js';

export const orderCancelledV1 = version(
  1,
  Type.Object({
    orderId: OrderId,
    reason: Nullable(text('Why the order was cancelled, in the words of whoever did it; null when not given.')),
  }),
  'First release.',
);
