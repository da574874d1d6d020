import { connectKafka } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';

/** Its failures come back as errors; nothing is logged, since standard output belongs to the command. */
export const kafkaAdministration = (brokers: string): ReturnType<typeof connectKafka> =>
  connectKafka({ brokers, clientId: 'shopflow-local', logger: createLogger('shopflow-local', 'silent') });
