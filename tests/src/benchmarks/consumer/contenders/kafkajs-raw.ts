// The limit of the client: reads records and looks at their ids, without a database.
import { connectKafka, headerNames, headerText, physicalGroup } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import { contenderSettings, ready } from '../contender.js';

const { brokers, namespace, topic, group } = contenderSettings();
const kafka = connectKafka({ brokers, clientId: 'kafkajs-raw', logger: createLogger('bench', 'warn') });
const consumer = kafka.consumer({ groupId: physicalGroup(namespace, group), maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });

let records = 0;
let withoutId = 0;
let first: number | undefined;
let last = 0;
ready(() => ({ records: records - withoutId, seconds: (last - (first ?? last)) / 1_000 }));
await consumer.run({
  partitionsConsumedConcurrently: 3,
  eachBatch: async ({ batch }) => {
    first ??= performance.now();
    for (const { headers } of batch.messages) if (headerText(headers, headerNames.id) === undefined) withoutId += 1;
    records += batch.messages.length;
    last = performance.now();
  },
});
