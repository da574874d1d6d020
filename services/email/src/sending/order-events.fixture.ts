import type { EventOf, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import type { ConsumedRecord } from '@shopflow/kafka';

export interface Customer {
  readonly email: string;
  readonly name: string | null;
}

export const ADA: Customer = { email: 'ada@shop.ng', name: 'Ada' };
export const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
/** Where and when an event lies in Kafka. */
export interface Place {
  readonly eventId?: string;
  readonly time?: Date;
  readonly partition?: number;
  readonly offset?: number;
}

export const recordAt = (partition: number, offset: number): ConsumedRecord => ({
  topic: 'orders.events',
  partition,
  offset,
  timestamp: 1_764_000_000_000,
  key: Buffer.from('ORD-1001'),
  value: Buffer.from('{"raw":"bytes"}'),
  headers: { ce_id: Buffer.from('evt-ORD-1001'), odd: [Buffer.from([0, 255]), Buffer.from('two')] },
});

let contacts = 0;

const envelope = (orderId: string, { time = new Date() }: Place) => ({
  version: 3,
  source: 'orders',
  subject: orderId,
  time,
  correlationId: 'req-7f3a',
  causationId: null,
  organizationId: 'shopflow',
  traceparent: TRACE,
  tracestate: null,
});

export const createdEvent = (orderId: string, customer: Customer, place: Place): EventOf<typeof orderCreated> => ({
  ...envelope(orderId, place),
  id: place.eventId ?? `evt-${orderId}`,
  type: 'order.created',
  payload: { orderId, customer, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' },
});

export const contactEvent = (orderId: string, customer: Customer, place: Place): EventOf<typeof orderContactUpdated> => ({
  ...envelope(orderId, place),
  id: place.eventId ?? `evt-${orderId}-contact-${++contacts}`,
  type: 'order.contact-updated',
  version: 1,
  payload: { orderId, customer },
});
