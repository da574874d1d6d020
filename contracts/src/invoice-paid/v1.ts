import Type from 'typebox';
import { day, invoiceFields } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoicePaidV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
    paidOn: day('Day (UTC) of the payment.'),
  }),
  'First release.',
);
