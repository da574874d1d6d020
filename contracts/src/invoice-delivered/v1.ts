import Type from 'typebox';
import { DeliveryOfInvoice, invoiceFields, KindOfDelivery } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoiceDeliveredV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
    deliveryId: DeliveryOfInvoice,
    kind: KindOfDelivery,
  }),
  'First release.',
);
