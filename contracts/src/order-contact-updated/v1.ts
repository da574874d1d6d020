import Type from 'typebox';
import { CustomerName, Email, OrderId } from '../fields.js';
import { version } from '../version.js';

export const orderContactUpdatedV1 = version(
  1,
  Type.Object({
    orderId: OrderId,
    customer: Type.Object({ email: Email, name: CustomerName }),
  }),
  'First release.',
);
