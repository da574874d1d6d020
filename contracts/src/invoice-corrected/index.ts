import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoiceCorrectedV1 } from './v1.js';

export const invoiceCorrected = defineEvent({
  type: 'invoice.corrected',
  topic: topics.invoices,
  summary: 'The recipient, amount or due date of an invoice was put right.',
  versions: [invoiceCorrectedV1],
});
