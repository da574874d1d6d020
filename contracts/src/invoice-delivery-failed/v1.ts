import Type from 'typebox';
import { text } from '../fields.js';
import { DeliveryOfInvoice, invoiceFields, KindOfDelivery } from '../invoice-fields.js';
import { version } from '../version.js';

export const invoiceDeliveryFailedV1 = version(
  1,
  Type.Object({
    ...invoiceFields,
    deliveryId: DeliveryOfInvoice,
    kind: KindOfDelivery,
    reason: text('Why it was given up, in words that a person can act on.', 2000),
  }),
  'First release.',
);
