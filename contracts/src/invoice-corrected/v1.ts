import Type from 'typebox';
import { invoiceFields, invoiceParticulars } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoiceCorrectedV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
    ...invoiceParticulars,
  }),
  'First release.',
);
