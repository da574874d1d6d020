import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoiceIssuedV1 } from './v1.js';

export const invoiceIssued = defineEvent({
  type: 'invoice.issued',
  topic: topics.invoices,
  summary: 'Somebody asked to send an invoice to its customer.',
  versions: [invoiceIssuedV1],
});
