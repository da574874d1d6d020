import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { orderCancelledV1 } from './v1.js';

export const orderCancelled = defineEvent({
  type: 'order.cancelled',
  topic: topics.orders,
  summary: 'An order was cancelled. It is final.',
  versions: [orderCancelledV1],
});
