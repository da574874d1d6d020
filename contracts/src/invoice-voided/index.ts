import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { invoiceVoidedV1 } from './v1.js';

export const invoiceVoided = defineEvent({
  type: 'invoice.voided',
  topic: topics.invoices,
  summary: 'An invoice is not owed any more, because its order was cancelled.',
  versions: [invoiceVoidedV1],
});
