import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoiceDeliveryFailedV1 } from './v1.js';

export const invoiceDeliveryFailed = defineEvent({
  type: 'invoice.delivery-failed',
  topic: topics.invoices,
  summary: 'The e-mail with an invoice was given up; somebody has to look at it.',
  versions: [invoiceDeliveryFailedV1],
});
