import Type from 'typebox';
import { CustomerName, Email, Kobo, OrderId } from '../fields.js';
import { upcast, version } from '../version.js';
import { orderCreatedV1 } from './v1.js';

export const orderCreatedV2 = version(
  2,
  Type.Object({
    orderId: OrderId,
    customer: Type.Object({ email: Email, name: CustomerName }),
    totalKobo: Kobo,
    currency: Type.Literal('NGN', { description: 'ISO 4217 code of the currency of totalKobo.' }),
  }),
  '`email` moved into `customer`, which also has a name; the currency became explicit.',
);

/** v1 never recorded a name, and ShopFlow sold in naira alone before v2. */
export const fromV1 = upcast(orderCreatedV1, orderCreatedV2, (v1) => ({
  orderId: v1.orderId,
  customer: { email: v1.email, name: null },
  totalKobo: v1.totalKobo,
  currency: 'NGN' as const,
}));
