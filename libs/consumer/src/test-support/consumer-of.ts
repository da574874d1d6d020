import { Controller, type Type } from '@nestjs/common';
import { type EventOf, orderCreated } from '@shopflow/contracts';
import { EventContext, Subscribe } from '../index.js';
import { effect } from './effects.js';

export type OrderCreated = EventOf<typeof orderCreated>;

/** A consumer class around one function, which shows its effect unless the test says otherwise. */
export function consumerOf(handler: (event: OrderCreated, context: EventContext) => unknown = (event, { tx }) => effect(tx, event)): Type {
  @Controller()
  class Consumer {
    @Subscribe(orderCreated)
    onOrderCreated(event: OrderCreated, context: EventContext) {
      return handler(event, context);
    }
  }
  return Consumer;
}
