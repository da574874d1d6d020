import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoiceDeliveredV1 } from './v1.js';

export const invoiceDelivered = defineEvent({
  type: 'invoice.delivered',
  topic: topics.invoices,
  summary: 'The mail provider accepted the e-mail with an invoice.',
  versions: [invoiceDeliveredV1],
});
