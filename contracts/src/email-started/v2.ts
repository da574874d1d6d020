import Type from 'typebox';
import { aboutInvoice } from '../delivery-fields.js';
import { upcast, version } from '../version.js';
import { emailStartedV1 } from './v1.js';

export const emailStartedV2 = version(
  2,
  Type.Object({ ...emailStartedV1.schema.properties, ...aboutInvoice }),
  'Added `number`; `orderId` is null for an invoice without an order.',
);

/** Before v2 there were receipts alone. */
export const fromV1 = upcast(emailStartedV1, emailStartedV2, (v1) => ({ ...v1, number: null }));
