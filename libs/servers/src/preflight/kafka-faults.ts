import { answersAsKafka } from '../kafka/answers-as-kafka.js';

/** No fault when at least one of the brokers serves: Kafka's clients find the others through it. */
export async function kafkaFaults(brokers: string): Promise<string[]> {
  const answers = await Promise.allSettled(brokers.split(',').map(ask));
  if (answers.some((answer) => answer.status === 'fulfilled')) return [];
  const reasons = answers.map((answer) => String((answer as PromiseRejectedResult).reason.message)).join('; ');
  return [`no Kafka at ${brokers} (${reasons}): start it, or correct KAFKA_BROKERS`];
}

async function ask(broker: string): Promise<void> {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(broker.trim()) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Error(`${JSON.stringify(broker)} is not host:port`);
  await answersAsKafka(host, Number(port));
}
