import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RELAY_NODE_OPTIONS } from '@shopflow/local';
import { LOOPBACK, ServerProcess, withClient } from '@shopflow/servers';
import type { Client } from 'pg';
import type { Place } from '../bench.js';
import type { Contender } from '../contender.js';
import { SOURCE } from '../event.js';

const SCRIPT = fileURLToPath(new URL('../../../../../services/relay/dist/main.js', import.meta.url));
const POLL_MS = 200;

/** Our relay, as it is started everywhere. */
export const relay: Contender = {
  name: 'relay',
  /** Its first start makes the slot, and publishes what the outbox holds already. */
  async prepare(place) {
    const first = await startRelay(place);
    try {
      await untilAllPublished(first, place);
    } finally {
      await first.stop();
    }
  },
  start: (place) => startRelay(place),
};

/** @param settings further ones, as environment variables */
export function startRelay(
  { brokers, databaseUrl, namespace, dir }: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return ServerProcess.start({
    command: process.execPath,
    args: [SCRIPT],
    cwd: dir,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: RELAY_NODE_OPTIONS,
      HOST: LOOPBACK,
      PORT: '0',
      KAFKA_BROKERS: brokers,
      SHOPFLOW_NAMESPACE: namespace,
      RELAY_SOURCES: JSON.stringify([{ name: SOURCE, databaseUrl }]),
      ...settings,
    },
    logFile: join(dir, 'relay.log'),
    pidFile: join(dir, 'relay.pid'),
    stopSignal: 'SIGTERM',
  });
}

async function untilAllPublished(process: ServerProcess, { databaseUrl, signal }: Place): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while (!(await allPublished(client))) {
      if (!process.isRunning) throw new Error(`the relay ended by itself: ${process.lastWords()}`);
      await delay(POLL_MS, undefined, { signal });
    }
  });
}

/** The backlog is asked for once the relay has reported: before that it is the whole table, and counting it takes time from the relay. */
async function allPublished(client: Client): Promise<boolean> {
  const { rows: reported } = await client.query('SELECT 1 FROM relay_progress');
  if (reported.length === 0) return false;
  const { rows } = await client.query<{ done: boolean }>('SELECT waiting = 0 AS done FROM outbox_backlog');
  return rows[0]!.done;
}
