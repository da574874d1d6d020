import Type from 'typebox';
import { Email, Nullable, OrderId, text } from '../fields.js';
import { version } from '../version.js';

export const orderContactUpdatedV1 = version(
  1,
  Type.Object({
    orderId: OrderId,
    customer: Type.Object({
      email: Email,
      name: Nullable(text('Name of the customer for a greeting; null when it is not known.', 200)),
    }),
  }),
  'First release.',
);
