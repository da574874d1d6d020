import Type from 'typebox';
import { invoiceFields } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoiceVoidedV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
  }),
  'First release.',
);
