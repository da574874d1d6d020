import { connectKafka, physicalTopic, unlessAborted } from '@shopflow/kafka';
import { withClient } from '@shopflow/servers';
import type { Bench, Place } from './bench.js';
import type { Contender } from './contender.js';
import { relay } from './contenders/relay.js';
import { measureContender } from './measure-contender.js';
import { type Measurement, medians } from './measurement.js';
import { measureAloud } from './rounds.js';

const AT_ONCE = 500_000;
const TOPIC = 'orders.history';
/** What was published long ago is of no interest on the broker. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** The relay with an empty outbox, and with one that holds so many events that it has published. */
export async function compareFull(bench: Bench, rounds: number, published: number): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const contender of [relay, withHistory(published)]) {
      const title = `${contender.name} (${round} of ${rounds})`;
      results.push(await measureAloud(title, (given) => measureContender(contender, given), bench));
    }
  }
  return medians(results);
}

const withHistory = (published: number): Contender => ({
  ...relay,
  name: 'relay-full',
  /** The events are there before the slot, so the relay's first start publishes them. */
  prepare: (place) =>
    withHistoryTopic(place, async () => {
      await fillHistory(place, published);
      await relay.prepare(place);
      place.say('  they are published');
    }),
});

async function withHistoryTopic(place: Place, work: () => Promise<void>): Promise<void> {
  const topic = physicalTopic(place.namespace, TOPIC);
  const admin = connectKafka({ brokers: place.brokers, clientId: 'bench', logger: place.logger }).admin();
  await admin.connect();
  try {
    const configEntries = [
      { name: 'retention.bytes', value: String(KEPT_BYTES) },
      { name: 'segment.bytes', value: String(KEPT_BYTES) },
    ];
    await admin.createTopics({ topics: [{ topic, numPartitions: 6, configEntries }] });
    await work();
  } finally {
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}

async function fillHistory({ databaseUrl, say, signal }: Place, rows: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('SET synchronous_commit = off');
    for (let from = 0; from < rows; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE, rows);
      await unlessAborted(client.query(HISTORY, [from, to - 1]), signal);
      if (to % (4 * AT_ONCE) === 0 || to === rows) say(`  ${to} of ${rows} events are in the table before`);
    }
    await unlessAborted(client.query('VACUUM (ANALYZE) outbox'), signal);
  });
}

const HISTORY = `
  INSERT INTO outbox (aggregateid, type, version, topic, payload, correlation_id)
  SELECT 'ORD-' || n % 5000, 'order.created', 2, '${TOPIC}',
    jsonb_build_object('orderId', 'ORD-' || n, 'currency', 'NGN', 'pad', repeat('x', 200)), 'old-' || n
  FROM generate_series($1::int, $2::int) AS n`;
