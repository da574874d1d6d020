import Type from 'typebox';
import { Email, Kobo, OrderId } from '../fields.js';
import { version } from '../version.js';

export const orderCreatedV1 = version(
  1,
  Type.Object({
    orderId: OrderId,
    email: Email,
    totalKobo: Kobo,
  }),
  'First release.',
);
