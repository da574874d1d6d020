import { orderCreated } from '@shopflow/contracts';
import { connectKafka, ensureTopics, KafkaProducer, physicalTopic, type ProducerRecord, writeHeaders } from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';

/** Records of `order.created` in a topic of their own, the second copies of some events among them. */
export interface Workload {
  /** The topic is `orders.events` in this namespace. */
  readonly namespace: string;
  readonly partitions: number;
  /** Different events: each must leave one audit row. */
  readonly events: number;
  /** Different Kafka keys. */
  readonly keys: number;
  /** Every `n`th event comes a second time; 0 for none. */
  readonly copyEvery: number;
}

/** One event in ten records is a copy when every ninth comes twice. */
export const COPY_EVERY_NINTH = 9;
/** A copy that does not come at once comes this many events later: long after the first has been committed. */
const LATER = 4_000;
const SEND = 1_000;
const DAY_MS = 86_400_000;

export const topicOf = ({ namespace }: Workload): string => physicalTopic(namespace, orderCreated.topic.name);

export const recordsOf = ({ events, copyEvery }: Workload): number => events + (copyEvery > 0 ? Math.ceil(events / copyEvery) : 0);

/** Publishes the workload, works with it, and takes it away again: the broker may be one that stays. */
export async function withTopic<T>(workload: Workload, brokers: string, logger: Logger, work: () => Promise<T>): Promise<T> {
  const admin = connectKafka({ brokers, clientId: 'bench', logger }).admin();
  await admin.connect();
  try {
    await publish(workload, brokers, logger);
    return await work();
  } finally {
    await admin.deleteTopics({ topics: [topicOf(workload)] });
    await admin.disconnect();
  }
}

async function publish(workload: Workload, brokers: string, logger: Logger): Promise<void> {
  const topic = topicOf(workload);
  await ensureTopics(connectKafka({ brokers, clientId: 'bench', logger }), [
    { topic, partitions: workload.partitions, retentionMs: DAY_MS },
  ]);
  const producer = await KafkaProducer.connect({ brokers, clientId: 'bench', logger });
  try {
    let records: ProducerRecord[] = [];
    for (const event of inOrder(workload)) {
      records.push(toRecord(topic, event, workload.keys));
      if (records.length === SEND) await producer.send(records.splice(0));
    }
    await producer.send(records);
  } finally {
    await producer.close();
  }
}

/** Event numbers as they are published: half of the second copies at once, half much later. */
function* inOrder({ events, copyEvery }: Workload): Generator<number> {
  const later: number[] = [];
  let copies = 0;
  for (let event = 0; event < events; event++) {
    yield event;
    if (copyEvery > 0 && event % copyEvery === 0) {
      if (copies++ % 2 === 0) yield event;
      else later.push(event);
    }
    if (later.length > 0 && event - later[0]! >= LATER) yield later.shift()!;
  }
  yield* later;
}

function toRecord(topic: string, event: number, keys: number): ProducerRecord {
  const orderId = `ORD-${event % keys}`;
  const headers = writeHeaders({
    id: `evt-${event}`,
    type: orderCreated.type,
    source: orderCreated.owner,
    subject: orderId,
    time: '2026-10-05T08:00:00.123Z',
    version: orderCreated.latest.number,
    correlationId: `req-${event}`,
    causationId: null,
    organizationId: 'shopflow',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: null,
  });
  const payload = { orderId, customer: { email: 'ada@example.com', name: 'Ada' }, totalKobo: 1_850_000, currency: 'NGN', channel: 'web' };
  return { topic, key: orderId, value: JSON.stringify(payload), headers };
}
