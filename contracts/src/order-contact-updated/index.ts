import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { orderContactUpdatedV1 } from './v1.js';

export const orderContactUpdated = defineEvent({
  type: 'order.contact-updated',
  topic: topics.orders,
  summary: 'The contact of an order was corrected; the new one replaces the old one everywhere.',
  versions: [orderContactUpdatedV1],
});
