import Type from 'typebox';
import { aboutInvoice } from '../delivery-fields.js';
import { upcast, version } from '../version.js';
import { emailSentV1 } from './v1.js';

export const emailSentV2 = version(
  2,
  Type.Object({ ...emailSentV1.schema.properties, ...aboutInvoice }),
  'Added `number`; `orderId` is null for an invoice without an order.',
);

/** Before v2 there were receipts alone. */
export const fromV1 = upcast(emailSentV1, emailSentV2, (v1) => ({ ...v1, number: null }));
