import { type EventEnvelope, type EventOf, emailSent, orderCancelled, orderCreated, type PayloadOf } from '@shopflow/contracts';
import { type BatchContext, type EventContext, Subscribe, SubscribeBatch } from './index.js';

// Checked by the compiler: every @ts-expect-error must be an error.

export class Fitting {
  @Subscribe(orderCreated)
  async one(event: EventOf<typeof orderCreated>, { tx }: EventContext) {
    await tx.query('SELECT $1', [event.payload.customer.email]);
  }

  @Subscribe(orderCancelled)
  part(event: { payload: { orderId: string } }) {
    return event.payload.orderId;
  }

  @Subscribe(orderCreated, orderCancelled)
  several(event: EventOf<typeof orderCreated> | EventOf<typeof orderCancelled>) {
    return event.type === 'order.created' ? event.payload.totalKobo : event.payload.reason;
  }

  @SubscribeBatch(orderCreated)
  many(events: readonly EventOf<typeof orderCreated>[], { records }: BatchContext) {
    return events.length === records.length;
  }
}

export class NotFitting {
  // @ts-expect-error the method takes another event
  @Subscribe(orderCreated)
  otherEvent(event: EventOf<typeof emailSent>) {
    return event;
  }

  // @ts-expect-error the method takes one of two events
  @Subscribe(orderCreated, orderCancelled)
  oneOfTwo(event: EventOf<typeof orderCreated>) {
    return event;
  }

  // @ts-expect-error the contract has no such field
  @Subscribe(orderCreated)
  invented(event: EventEnvelope<{ email: string }>) {
    return event;
  }

  // @ts-expect-error the amount is a number
  @Subscribe(orderCreated)
  otherType(event: EventEnvelope<{ totalKobo: string }>) {
    return event;
  }

  // @ts-expect-error a batch handler takes an array
  @SubscribeBatch(orderCreated)
  single(event: EventOf<typeof orderCreated>) {
    return event;
  }

  // @ts-expect-error a handler of single events takes no array
  @Subscribe(orderCreated)
  array(events: readonly EventOf<typeof orderCreated>[]) {
    return events;
  }

  // @ts-expect-error the second parameter is the context
  @Subscribe(orderCreated)
  context(event: EventOf<typeof orderCreated>, context: string) {
    return [event, context];
  }

  // @ts-expect-error a subscription names an event
  @Subscribe()
  nothing() {}

  @Subscribe(orderCreated)
  missingField(event: EventOf<typeof orderCreated>) {
    // @ts-expect-error v1's flat field is not in the latest version
    return event.payload.email;
  }

  @Subscribe(orderCreated)
  readOnly(event: EventOf<typeof orderCreated>) {
    // @ts-expect-error an event is a fact
    event.version = 2;
  }
}

export type Payload = PayloadOf<typeof orderCreated>;
