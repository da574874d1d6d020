import { join } from 'node:path';
import { slotName } from '@shopflow/outbox';
import { withClient } from '@shopflow/servers';
import { ConnectWorker, STANDARD_JVM } from '../../../debezium/connect-worker.js';
import { connectorEnvironment, outboxConnector } from '../../../debezium/outbox-connector.js';
import type { Place } from '../bench.js';
import type { Contender } from '../contender.js';
import { SOURCE } from '../event.js';

type Settings = Readonly<Record<string, string>>;

/** What makes it fast and quick; its own defaults without them. */
const TUNING: Settings = {
  'poll.interval.ms': '10',
  'max.batch.size': '8192',
  'max.queue.size': '32768',
  'producer.override.linger.ms': '0',
  'producer.override.batch.size': '262144',
};

/** Debezium in Kafka Connect, with the connector of deploy/debezium: it publishes the same records. */
export const debeziumTuned = debezium('debezium-tuned', TUNING, ['-Xms2G', '-Xmx2G', '-XX:+UseParallelGC']);
export const debeziumDefault = debezium('debezium-default', {}, STANDARD_JVM);

function debezium(name: string, tuning: Settings, jvm: readonly string[]): Contender {
  return {
    name,
    async prepare(place) {
      await withClient(place.databaseUrl, (client) =>
        client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slotOf(place)]),
      );
    },
    async start(place) {
      const connector = { ...withoutTuning(await outboxConnector()), ...tuning };
      const { brokers, databaseUrl, namespace, say } = place;
      const env = connectorEnvironment({ databaseUrl, namespace, source: SOURCE, slot: slotOf(place) });
      return ConnectWorker.start({ dir: join(place.dir, namespace), brokers, connector, jvm, env, onProgress: say });
    },
  };
}

const slotOf = ({ namespace }: Place): string => slotName(namespace, SOURCE);

const withoutTuning = (connector: Settings): Settings =>
  Object.fromEntries(Object.entries(connector).filter(([setting]) => !(setting in TUNING)));
