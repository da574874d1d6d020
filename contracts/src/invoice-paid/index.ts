import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoicePaidV1 } from './v1.js';

export const invoicePaid = defineEvent({
  type: 'invoice.paid',
  topic: topics.invoices,
  summary: 'An invoice was paid.',
  versions: [invoicePaidV1],
});
