import { randomUUID } from 'node:crypto';
import { orderCreated } from '@shopflow/contracts';
import { KafkaProducer, physicalTopic, type ProducerRecord, writeHeaders } from '@shopflow/kafka';
import { kafkaBrokers, testLogger } from '@shopflow/testing';

/** An event as a producer would publish it; everything has a default. */
export interface TestEvent {
  readonly id?: string;
  readonly type?: string;
  readonly version?: number;
  readonly orderId?: string;
  readonly correlationId?: string;
  readonly payload?: unknown;
}

export const ORDERS = 'orders.events';

export const orderPayload = (orderId: string) => ({
  orderId,
  customer: { email: 'ada@shop.ng', name: 'Ada' },
  totalKobo: 2_500_000,
  currency: 'NGN',
  channel: 'web',
});

let next = 1;

/** The record of an `order.created` v3, or of what `event` says instead. */
export function orderRecord(namespace: string, event: TestEvent = {}): ProducerRecord {
  const { orderId = `ORD-${next++}`, version = 3 } = event;
  const headers = writeHeaders({
    id: event.id ?? `evt-${randomUUID()}`,
    type: event.type ?? orderCreated.type,
    source: 'orders',
    subject: orderId,
    time: '2026-11-30T10:00:00.000Z',
    version,
    correlationId: event.correlationId ?? null,
    causationId: null,
    organizationId: 'shopflow',
    traceparent: null,
    tracestate: null,
  });
  const payload = 'payload' in event ? event.payload : orderPayload(orderId);
  return { topic: physicalTopic(namespace, ORDERS), key: orderId, value: JSON.stringify(payload), headers };
}

/** Writes the records in one batch, so that a group reads those of a partition together. */
export const publish = (...records: readonly ProducerRecord[]): Promise<void> => publishTo(kafkaBrokers(), ...records);

export async function publishTo(brokers: string, ...records: readonly ProducerRecord[]): Promise<void> {
  const producer = await KafkaProducer.connect({ brokers, clientId: 'test-producer', logger: testLogger() });
  await producer.send(records);
  await producer.close();
}
