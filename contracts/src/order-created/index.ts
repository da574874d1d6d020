import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { orderCreatedV1 } from './v1.js';
import { fromV1, orderCreatedV2 } from './v2.js';
import { fromV2, orderCreatedV3 } from './v3.js';

export const orderCreated = defineEvent({
  type: 'order.created',
  topic: topics.orders,
  summary: 'A customer placed an order.',
  versions: [orderCreatedV1, orderCreatedV2, orderCreatedV3],
  upcasters: [fromV1, fromV2],
});
