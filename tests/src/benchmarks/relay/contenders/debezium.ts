import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slotName } from '@shopflow/outbox';
import { withClient } from '@shopflow/servers';
import { ConnectWorker, STANDARD_JVM } from '../../../debezium/connect-worker.js';
import type { Place } from '../bench.js';
import type { Contender } from '../contender.js';
import { SOURCE } from '../event.js';

type Settings = Readonly<Record<string, string>>;

const CONNECTOR = fileURLToPath(new URL('../../../../../deploy/debezium/connector.properties', import.meta.url));

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
    async prepare({ databaseUrl, namespace }) {
      const slot = [slotName(namespace, SOURCE)];
      await withClient(databaseUrl, (client) => client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, slot));
    },
    async start(place) {
      const connector = { ...(await untuned()), ...tuning };
      const { brokers, say } = place;
      return ConnectWorker.start({
        dir: join(place.dir, place.namespace),
        brokers,
        connector,
        jvm,
        env: environmentOf(place),
        onProgress: say,
      });
    },
  };
}

/** The connector of deploy/debezium without what it says of speed. */
async function untuned(): Promise<Settings> {
  const lines = (await readFile(CONNECTOR, 'utf8')).split('\n').filter((line) => /^[^#].*=/.test(line));
  const settings = lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()] as const);
  return Object.fromEntries(settings.filter(([setting]) => !(setting in TUNING)));
}

function environmentOf({ databaseUrl, namespace }: Place): Settings {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    OUTBOX_SLOT: slotName(namespace, SOURCE),
    OUTBOX_SOURCE: SOURCE,
    OUTBOX_DATABASE_HOST: hostname,
    OUTBOX_DATABASE_PORT: port,
    OUTBOX_DATABASE_NAME: pathname.slice(1),
    OUTBOX_DATABASE_USER: username,
    OUTBOX_DATABASE_PASSWORD: password,
    SHOPFLOW_NAMESPACE: namespace,
  };
}
