import Type from 'typebox';
import { DeliveryOfInvoice, invoiceFields, invoiceParticulars } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoiceIssuedV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
    deliveryId: DeliveryOfInvoice,
    ...invoiceParticulars,
  }),
  'First release.',
);
